import { App } from 'aws-cdk-lib'
import { parseEnvironment } from './environments.ts'
import { PriceLookupStack } from './price-lookup-stack.ts'

const app = new App()
const environment = parseEnvironment(app.node.tryGetContext('environment'))

new PriceLookupStack(app, `price-lookup-${environment.name}`, environment)
