import { type IMetric, Metric, SearchExpression, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type LogGroup, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs'
import type { Network } from '../../api/networks.ts'
import type { ProblemSlug } from '../../api/problems.ts'
import type { FaultKind } from '../../lambda/faults.ts'
import type { Logs } from './logs.ts'
import { period } from './metric-math.ts'

/** A metric filter: the lines that it matches, and the value that it writes for each, 1 by default. */
interface LogFilter extends Pick<MetricFilterOptions, 'metricValue' | 'unit' | 'dimensions'> {
  readonly pattern: string
}

/** Matches no line of a request that a deployment sent. Its failures end the deployment, and no alarm rings. */
const ofCallers = `(${field('caller')} NOT EXISTS)`

/** The metrics of the request log. Dimensions separate outcomes, kinds of faults and networks. */
const ofRequests = {
  // Only the line of the request is counted: an unexpected error writes another one, with frames and without a route.
  outcome: { pattern: exist('outcome', 'route'), dimensions: { outcome: field('outcome') } },
  faults: { pattern: exist('fault', 'network'), dimensions: { kind: field('fault'), network: field('network') } },
  /** Has a value, which may be 0, for each request that asked the first endpoint, or with agreement the first two. */
  firstEndpointFaults: toMeasure('firstEndpointFaults', Unit.COUNT),
  unavailable: toCount(`${field('outcome')} = "chain-unavailable"`),
  /** Requests that the last of several endpoints answered, because every other one had failed or was slow. */
  lastResort: toCount(`${field('lastResort')} IS TRUE`),
  /** Requests with a feed that could not be read, alone or in a list. */
  unreadable: { pattern: exist('unreadable[0]') },
  rpcMs: toMeasure('rpcMs', Unit.MILLISECONDS),
  headAgeSeconds: toMeasure('headAgeSeconds', Unit.SECONDS),
} satisfies Record<string, LogFilter>

/**
 * The metrics of the access log: responses of the stage, cached or not, and of its web ACL.
 *
 * The log has texts only, and a hyphen for what is absent. A cached response has no fields of an integration, and a
 * stage without a web ACL no response code of one.
 */
const ofResponses = {
  /** Without what the web ACL refused: the rate rule already limits that caller. */
  tooManyRequests: { pattern: '($.status = "429") && ($.wafResponseCode != "WAF_BLOCK")' },
  /**
   * Without the 502 and 503 of a function, which are `feed-unreadable` and `chain-unavailable`, whose alarms differ by
   * network. Those of the gateway have a type of error.
   */
  serverErrors: {
    pattern: [
      '($.status = "500")',
      '($.status = "504")',
      '((($.status = "502") || ($.status = "503")) && ($.errorResponseType != "-"))',
    ].join(' || '),
  },
} satisfies Record<string, LogFilter>

type MetricName = keyof typeof ofRequests | keyof typeof ofResponses

type Dimensions = { readonly outcome: ProblemSlug } | { readonly kind: FaultKind; readonly network: Network }

/** Metrics of the log lines, over five minutes. */
export interface LogMetrics {
  /** The number of lines. */
  readonly count: (name: MetricName, dimensions?: Dimensions) => Metric
  readonly ofNetwork: (name: MetricName, network: Network, statistic: string) => Metric
  /** Faults of endpoints, one line per kind and network. For dashboards: an alarm takes no search. */
  readonly faults: IMetric
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
  for (const [name, filter] of Object.entries<LogFilter>(ofRequests)) {
    addFilter(requestLog, namespace, name, { ...filter, pattern: `${filter.pattern} && ${ofCallers}` })
  }
  for (const [name, filter] of Object.entries(ofResponses)) addFilter(accessLog, namespace, name, filter)
  return {
    count: (metricName, dimensions) =>
      new Metric({ namespace, metricName, dimensionsMap: { ...dimensions }, statistic: Stats.SUM, period }),
    ofNetwork: (metricName, network, statistic) => {
      const label = `${network} ${statistic}`
      return new Metric({ namespace, metricName, dimensionsMap: { network }, statistic, period, label })
    },
    faults: new SearchExpression({
      expression: `SEARCH('{${namespace},kind,network} MetricName="faults"', 'Sum', ${period.toSeconds()})`,
      label: '',
      period,
    }),
  }
}

function addFilter(log: LogGroup, metricNamespace: string, metricName: string, filter: LogFilter): void {
  const { pattern, ...value } = filter
  // A literal pattern: CDK's builders put the asterisk in quotes, which matches no field.
  const filterPattern = FilterPattern.literal(`{ ${pattern} }`)
  const counted = { metricValue: '1', unit: Unit.COUNT, ...value }
  log.addMetricFilter(metricName, { ...counted, metricName, metricNamespace, filterPattern })
}

/** Returns a filter that counts the lines that meet a condition, by network. */
function toCount(condition: string): LogFilter {
  return { pattern: `(${condition}) && ${exist('network')}`, dimensions: { network: field('network') } }
}

function toMeasure(name: string, unit: Unit): LogFilter {
  const dimensions = { network: field('network') }
  return { pattern: exist(name, 'network'), metricValue: field(name), unit, dimensions }
}

/**
 * Returns a pattern of the lines that have all of these fields.
 *
 * CloudWatch takes the value and the dimensions of a metric from fields of the pattern alone.
 */
function exist(...paths: readonly string[]): string {
  return paths.map(path => `(${field(path)} = *)`).join(' && ')
}

/**
 * Selects a field of a line of the request log, which Lambda nests in `message`.
 *
 * A selector of letters, digits, hyphens and underscores needs no quotes. It matches an element of an array, no array.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function field(path: string): string {
  return `$.message.${path}`
}
