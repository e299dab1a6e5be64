import { Annotations, type App, type Stack } from 'aws-cdk-lib'
import { AccountStack } from './account-stack.ts'
import { audit } from './audit.ts'
import { account, findEnvironment } from './environments.ts'
import { PriceLookupStack } from './price-lookup-stack.ts'

/**
 * Adds the stack that the context's `environment` names, under audit; undefined when there is no such environment.
 *
 * `-c edge=true` gives an environment an edge: for the local run, and to look at the difference. `npm run deploy` refuses it.
 */
export function addStack(app: App): Stack | undefined {
  audit(app)
  const name: unknown = app.node.tryGetContext('environment')
  if (name === 'account') return new AccountStack(app, 'price-lookup-account', account)
  const environment = findEnvironment(name)
  if (environment === undefined) return undefined
  const hasEdge = app.node.tryGetContext('edge') === 'true'
  const edge = { region: 'us-east-1', edge: { isOnlyWay: true, accessLogs: false } }
  const stack = new PriceLookupStack(app, `price-lookup-${name}`, { ...environment, ...(hasEdge ? edge : {}) })
  if (hasEdge) {
    const remedy = 'Set `edge` of the environment in infra/environments.ts to deploy it.'
    Annotations.of(stack).addWarningV2('price-lookup:edge', `-c edge=true is not for a deployment. ${remedy}`)
  }
  return stack
}
