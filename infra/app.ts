import { App } from 'aws-cdk-lib'
import { environments, findEnvironment } from './environments.ts'
import { PriceLookupStack } from './price-lookup-stack.ts'

const app = new App()
const environment = findEnvironment(app.node.tryGetContext('environment'))

if (environment === undefined) {
  console.error(`Say which environment with -c environment=NAME: ${Object.keys(environments).join(' or ')}.`)
  process.exit(1)
}
new PriceLookupStack(app, `price-lookup-${environment.name}`, environment)
