import { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'

/**
 * The period of every metric except that of `rpc-urls`: long enough for some requests, and short enough for an alarm
 * within minutes.
 */
export const period = Duration.minutes(5)

export function toMath(
  label: string,
  expression: string,
  usingMetrics: Record<string, IMetric>,
  over: Duration = period,
): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period: over })
}

/** Adds metrics up. A metric without a value counts as 0. */
export function toSum(label: string, metrics: readonly IMetric[]): MathExpression {
  const byId = metrics.map((metric, index) => [`f${index}`, metric] as const)
  return toMath(label, byId.map(([id]) => `FILL(${id}, 0)`).join(' + '), Object.fromEntries(byId))
}
