import { Duration, type Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { networks } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import { createScheduledFunction } from '../functions/scheduled-function.ts'

interface ProbeProps {
  /** The URL at which callers find the API. */
  readonly baseUrl: string
  readonly stage: Stage
  readonly logGroup: LogGroup
}

/**
 * Adds a function that checks the public URL every five minutes (`checks/service/probe.ts`).
 *
 * CloudWatch Synthetics would run the checks in a function too, for $10 a month, with a bucket and a runtime of its
 * own.
 */
export function addProbe(scope: Stack, { baseUrl, stage, logGroup }: ProbeProps): NodeFunction {
  const probe = createScheduledFunction(scope, 'Probe', {
    entry: 'checks/service/probe.ts',
    rate: Duration.minutes(5),
    missedRuns: 'The alarm `probe-silent` notifies the operators when no run starts.',
    // The timeout exceeds the sum of the time limits of two requests for each network, as a test computes.
    timeout: Duration.seconds(15 * 2 * networks.length + 10),
    logGroup,
    environment: { [variables.publicBaseUrl]: baseUrl },
  })
  // With a domain, the URL does not refer to the stage. A new probe would check the previous API until the canary ends.
  probe.node.addDependency(stage)
  return probe
}
