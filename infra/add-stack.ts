import { Annotations, type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { networks } from '../api/networks.ts'
import { AccountStack } from './account-stack.ts'
import { type Account, account, findEnvironment, type NamedEnvironment } from './environments.ts'
import { PriceLookupStack } from './price-lookup-stack.ts'

/** Adds the stack that the context's `environment` names, under audit; undefined when there is no such environment. */
export function addStack(app: App): Stack | undefined {
  audit(app)
  const name: unknown = app.node.tryGetContext('environment')
  if (name === 'account') {
    const stack = new AccountStack(app, 'price-lookup-account', account)
    warnOfSilentBudget(stack, account)
    return stack
  }
  const environment = findEnvironment(name)
  if (environment === undefined) return undefined
  const stack = new PriceLookupStack(app, `price-lookup-${environment.name}`, environment)
  warnOfMissingSettings(stack, environment)
  return stack
}

/**
 * Checks what is synthesised against the rules of AWS Solutions and Serverless. A finding that is not acknowledged
 * fails the synthesis.
 */
export function audit(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(), new ServerlessChecks())
}

/**
 * Adds a warning for each missing setting that only the owner can set.
 *
 * An environment with a probe needs RPC URLs of its own: the chain's public URL limits the rate, which fails probe and
 * smoke test. The other settings are needed in production.
 *
 * `npm run deploy` treats warnings as errors, so they are worded as such. A synthesis needs none of the settings.
 */
export function warnOfMissingSettings(
  stack: Stack,
  { name, production, account, region, probe, alarmEmails, rpcUrls }: NamedEnvironment,
): void {
  const warn = (setting: string, remedy: string) => addWarning(stack, name, setting, remedy)
  if (production) {
    if (account === undefined) warn('account', 'the id of the AWS account, so that no other account is deployed to')
    if (region === undefined) warn('region', 'the AWS region, so that no second copy is created in another one')
    if (alarmEmails.page === undefined) warn('alarmEmails.page', 'the address that wakes a person')
    if (alarmEmails.ticket === undefined) warn('alarmEmails.ticket', 'the address for what can wait until the morning')
  }
  if (!production && !probe) return
  const twoProviders = 'a SecureString with at least two RPC URLs of different providers'
  for (const network of networks.filter(network => rpcUrls[network] === undefined))
    warn(`rpcUrls.${network}`, `the existing parameter, ${twoProviders} (docs/operations.md, "RPC URLs")`)
}

/** Adds a warning when the account's budget has no subscriber. `npm run deploy` treats warnings as errors. */
export function warnOfSilentBudget(stack: Stack, { monthlyBudgetUsd, alarmEmail }: Account): void {
  if (monthlyBudgetUsd === undefined || alarmEmail !== undefined) return
  addWarning(stack, 'account', 'alarmEmail', 'the address that receives the notifications of the budget')
}

function addWarning(stack: Stack, name: string, setting: string, remedy: string): void {
  const text = `${name} cannot be deployed without ${setting}. Set it in infra/environments.ts: ${remedy}.`
  Annotations.of(stack).addWarningV2(`price-lookup:${setting}`, text)
}
