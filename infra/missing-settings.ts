import { Annotations, type Stack } from 'aws-cdk-lib'
import type { NamedEnvironment } from './environments.ts'

/** Adds a warning for each missing setting that only the owner of the account knows. `npm run deploy` treats warnings as errors. */
export function warnOfMissingSettings(
  scope: Stack,
  { name, account, region, alarmEmail, networks }: NamedEnvironment,
): void {
  const warn = (setting: string, remedy: string) =>
    Annotations.of(scope).addWarningV2(
      `price-lookup:${setting}`,
      `${name} has no ${setting}. Set it in infra/environments.ts: ${remedy}.`,
    )
  if (account === undefined) warn('account', 'the id of the AWS account, so that no other account is deployed to')
  if (region === undefined) warn('region', 'the AWS region, so that no second copy is created in another one')
  if (alarmEmail === undefined) warn('alarmEmail', 'the address that receives the alarms')
  for (const [network, { rpcUrls }] of Object.entries(networks)) {
    if ('name' in rpcUrls) continue
    warn(
      `networks.${network}.rpcUrls.name`,
      `an existing SecureString with at least two RPC URLs of different providers (docs/operations.md, "RPC URLs")`,
    )
  }
}
