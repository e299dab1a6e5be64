import type { App, Stack } from 'aws-cdk-lib'
import { AccountStack } from './account-stack.ts'
import { audit } from './audit.ts'
import { account, findEnvironment, type NamedEnvironment } from './environments.ts'
import { PriceLookupStack } from './price-lookup-stack.ts'

/** Adds the stack that the context's `environment` names, under audit; undefined when there is no such environment. */
export function addStack(app: App): Stack | undefined {
  audit(app)
  const name: unknown = app.node.tryGetContext('environment')
  if (name === 'account') return new AccountStack(app, 'price-lookup-account', account)
  const environment = findEnvironment(name)
  return environment && new PriceLookupStack(app, `price-lookup-${environment.name}`, toVariant(app, environment))
}

/** Gives an environment an edge if the context asks for it with `-c edge=true`: for the local run, and to look at the difference. */
function toVariant(app: App, environment: NamedEnvironment): NamedEnvironment {
  if (app.node.tryGetContext('edge') !== 'true') return environment
  return { ...environment, region: 'us-east-1', edge: { isOnlyWay: true, accessLogs: false } }
}
