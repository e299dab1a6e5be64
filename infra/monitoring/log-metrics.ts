import { type IMetric, Metric, SearchExpression, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type LogGroup, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs'
import type { Network } from '../../api/networks.ts'
import type { ProblemSlug } from '../../api/problems.ts'
import type { EndpointName } from '../../lambda/endpoints.ts'
import type { FaultKind } from '../../lambda/faults.ts'
import type { Logs } from './logs.ts'
import { period } from './metric-math.ts'

/** A metric filter: the lines that it counts. */
interface LogFilter extends Pick<MetricFilterOptions, 'dimensions'> {
  readonly pattern: string
}

/**
 * Matches no line of a request that a deployment sent. A failure of such a request ends the deployment, so it needs no
 * alarm.
 */
const isOfCaller = `(${field('caller')} NOT EXISTS)`

/**
 * The outcomes that the metric `outcome` counts, because an alarm reads each. AWS bills a metric for each value of a
 * dimension: with all outcomes, any caller could create those of `unknown-symbol` and `unknown-network`.
 */
const countedOutcomes = ['not-configured', 'internal'] as const satisfies readonly ProblemSlug[]
const isCounted = countedOutcomes.map(outcome => `(${field('outcome')} = "${outcome}")`).join(' || ')

/** The metrics of the request log. Dimensions separate outcomes, kinds of faults, endpoints and networks. */
const requestLogFilters = {
  // Only the line of the request is counted: an unexpected error writes another one, with frames and without a route.
  outcome: { pattern: `(${isCounted}) && ${exist('route')}`, dimensions: { outcome: field('outcome') } },
  faults: { pattern: exist('fault', 'network'), dimensions: { kind: field('fault'), network: field('network') } },
  /** Attempts at endpoints that failed, by endpoint. A fault of Parameter Store has no endpoint. */
  failed: {
    pattern: exist('fault', 'endpoint', 'network'),
    dimensions: { endpoint: field('endpoint'), network: field('network') },
  },
  /** Requests whose read succeeded, by the endpoint that returned the reading. */
  served: {
    pattern: exist('route', 'endpoint', 'network'),
    dimensions: { endpoint: field('endpoint'), network: field('network') },
  },
  unavailable: {
    pattern: `(${field('outcome')} = "chain-unavailable") && ${exist('network')}`,
    dimensions: { network: field('network') },
  },
  /** Requests with a feed that could not be read, alone or in a list. */
  unreadable: { pattern: exist('unreadable[0]') },
} satisfies Record<string, LogFilter>

/**
 * The metrics of the access log: responses of the stage, cached or not, and of its web ACL.
 *
 * The log has texts only, and a hyphen for what is absent. A cached response has no fields of an integration, and a
 * stage without a web ACL no response code of one.
 */
const accessLogFilters = {
  /** Responses of 429, without those of the web ACL: its rule already limits that caller. */
  tooManyRequests: { pattern: '($.status = "429") && ($.wafResponseCode != "WAF_BLOCK")' },
  /**
   * Responses of 5xx, without the 502 and 503 of a function: these are `feed-unreadable` and `chain-unavailable`, which
   * have alarms of their own. The 502 and 503 of the gateway have a type of error.
   */
  serverErrors: {
    pattern: [
      '($.status = "500")',
      '($.status = "504")',
      '((($.status = "502") || ($.status = "503")) && ($.errorResponseType != "-"))',
    ].join(' || '),
  },
} satisfies Record<string, LogFilter>

type MetricName = keyof typeof requestLogFilters | keyof typeof accessLogFilters

type Dimensions =
  | { readonly outcome: (typeof countedOutcomes)[number] }
  | { readonly network: Network }
  | { readonly kind: FaultKind; readonly network: Network }
  | { readonly endpoint: EndpointName; readonly network: Network }

/** Metrics of the log lines, over five minutes. */
export interface LogMetrics {
  /** The number of lines. */
  readonly count: (name: MetricName, dimensions?: Dimensions) => Metric
  /** The number of lines for each value of the dimensions. For dashboards: an alarm takes no search. */
  readonly search: (name: 'failed' | 'faults' | 'served') => IMetric
}

/**
 * Adds the metrics of the log lines, one filter each.
 *
 * At most ten: one stack creates them at once, and `PutMetricFilter` takes five a second of an account and region.
 * None has a default value: a metric is billed for the hours in which it has a value, and most of these count failures.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html
 */
export function addLogMetrics({ requestLog, accessLog }: Logs, namespace: string): LogMetrics {
  for (const [name, filter] of Object.entries<LogFilter>(requestLogFilters)) {
    addFilter(requestLog, namespace, name, { ...filter, pattern: `${filter.pattern} && ${isOfCaller}` })
  }
  for (const [name, filter] of Object.entries(accessLogFilters)) addFilter(accessLog, namespace, name, filter)
  return {
    count: (metricName, dimensions) =>
      new Metric({ namespace, metricName, dimensionsMap: { ...dimensions }, statistic: Stats.SUM, period }),
    search: metricName => {
      const schema = [namespace, ...Object.keys(requestLogFilters[metricName].dimensions)]
      const expression = `SEARCH('{${schema}} MetricName="${metricName}"', 'Sum', ${period.toSeconds()})`
      return new SearchExpression({ expression, label: '', period })
    },
  }
}

function addFilter(log: LogGroup, metricNamespace: string, metricName: string, filter: LogFilter): void {
  const { pattern, ...dimensions } = filter
  // A literal pattern: CDK's builders put the asterisk in quotes, which matches no field.
  const filterPattern = FilterPattern.literal(`{ ${pattern} }`)
  const counted = { metricValue: '1', unit: Unit.COUNT, ...dimensions }
  log.addMetricFilter(metricName, { ...counted, metricName, metricNamespace, filterPattern })
}

/**
 * Returns a pattern of the lines that have all of these fields.
 *
 * CloudWatch takes the dimensions of a metric from fields of the pattern alone.
 */
function exist(...paths: readonly string[]): string {
  return paths.map(path => `(${field(path)} = *)`).join(' && ')
}

/**
 * Selects a field of a line of the request log, which Lambda nests in `message`.
 *
 * A selector of letters, digits, hyphens and underscores needs no quotes. It matches an element of an array, but
 * not the array itself.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function field(path: string): string {
  return `$.message.${path}`
}
