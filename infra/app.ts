import { App } from 'aws-cdk-lib'
import { findRegistryErrors } from '../api/schemas/find-registry-errors.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }

const errors = findRegistryErrors(registry)
if (errors.length > 0) fail(['lambda/feeds/registry.json has errors.', ...errors].join('\n  '))

// These modules are imported after the check, because they parse the registry when they are loaded.
const { addStack } = await import('./add-stack.ts')
const { environments } = await import('./environments.ts')
if (addStack(new App()) === undefined) {
  const names = Object.keys(environments).join(', ')
  fail(`Missing or unknown environment. Known: ${names}; account, once per account and region.
  npm run deploy -- -c environment=NAME
  npx cdk synth -c environment=NAME`)
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
