import { App } from 'aws-cdk-lib'
import { AccountStack } from './account-stack.ts'
import { audit } from './audit.ts'
import { environments, findEnvironment } from './environments.ts'
import { PriceLookupStack } from './price-lookup-stack.ts'

const app = new App()
const name: unknown = app.node.tryGetContext('environment')
const environment = findEnvironment(name)

if (environment !== undefined) {
  new PriceLookupStack(app, `price-lookup-${environment.name}`, environment)
} else if (name === 'account') {
  new AccountStack(app, 'price-lookup-account')
} else {
  const names = Object.keys(environments).join(', ')
  console.error(`Say which environment with -c environment=NAME: ${names}; or account, once per account and region.`)
  process.exit(1)
}
audit(app)
