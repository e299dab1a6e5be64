import { Duration, type Stack } from 'aws-cdk-lib'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Network } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import { permitReading } from '../functions/permit-reading.ts'
import { toReaderVariables } from '../functions/reader-variables.ts'
import type { RpcUrlsParameter } from '../functions/rpc-urls-parameters.ts'
import { createScheduledFunction } from '../functions/scheduled-function.ts'

interface RpcCheckProps {
  readonly environment: NamedEnvironment
  readonly rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>
  readonly logGroup: LogGroup
}

/**
 * Adds a function that checks every RPC URL once an hour (`checks/rpc/scheduled-check.ts`).
 *
 * The functions ask a spare endpoint only if the first one is slow or fails. So without this check, a spare that does
 * not work is noticed when it is needed.
 */
export function addRpcCheck(scope: Stack, { environment, rpcUrls, logGroup }: RpcCheckProps): NodeFunction {
  const rpcCheck = createScheduledFunction(scope, 'RpcCheck', {
    entry: 'checks/rpc/scheduled-check.ts',
    rate: Duration.hours(1),
    missedRuns: 'The alarm `rpc-urls-mainnet` counts an hour without a run as one whose run failed.',
    // The timeout is longer than all attempts at the URLs of every network together, each repeated after a rate limit,
    // as a test computes: 120.6 s.
    timeout: Duration.seconds(130),
    logGroup,
    environment: toReaderVariables(rpcUrls, undefined),
  })
  permitReading(rpcCheck, environment)
  return rpcCheck
}
