import { App } from 'aws-cdk-lib'
import { addStack } from './add-stack.ts'
import { environments } from './environments.ts'

if (addStack(new App()) === undefined) {
  const names = Object.keys(environments).join(', ')
  console.error(`Missing or unknown -c environment=NAME. Known: ${names}; account, once per account and region.`)
  process.exit(1)
}
