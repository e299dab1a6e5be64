import { Duration } from 'aws-cdk-lib'
import { type IMetric, Metric, SearchExpression, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type LogGroup, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs'
import type { Network } from '../lambda/networks.ts'
import type { ProblemSlug } from '../lambda/problems.ts'
import type { Logs } from './logs.ts'

/** Metrics of the log lines. */
export interface LogMetrics {
  /** Requests that ended in a problem. */
  readonly outcome: (slug: ProblemSlug) => Metric
  /** Faults of endpoints, one line per kind and network. For dashboards: an alarm takes no search. */
  readonly faults: IMetric
  /** Faults of the first endpoint. Has a value, which may be 0, for each request that asked it. */
  readonly firstEndpointFaults: PerNetwork
  /** Requests for which more than one endpoint was asked. */
  readonly failovers: Metric
  /** Requests that the last of several endpoints answered, because every other one had failed or was slow. */
  readonly lastResort: PerNetwork
  /** Requests with a feed that could not be read, alone or in a list. */
  readonly unreadable: Metric
  /** Milliseconds that a read of the chain took. */
  readonly rpcMs: PerNetwork
  readonly headAgeSeconds: PerNetwork
  /** Answers of the stage with 429, and with 5xx other than `feed-unreadable`, cached or not. */
  readonly tooManyRequests: Metric
  readonly serverErrors: Metric
}

/** Returns the metric of one network, with a statistic over five minutes. */
type PerNetwork = (network: Network, statistic: string) => Metric

/**
 * Adds the metrics of the log lines, one filter each. Dimensions separate outcomes, kinds of faults and networks.
 *
 * At most ten: one stack creates them at once, and `PutMetricFilter` takes five a second of an account and region.
 * None has a default value: a metric is billed for the hours in which it has a value, and most of these count failures.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html
 */
export function addLogMetrics({ requestLog, accessLog }: Logs, namespace: string): LogMetrics {
  const ofRequests = { logGroup: requestLog, namespace }
  const ofAccess = { logGroup: accessLog, namespace }
  // An unexpected error writes a second line, with stack frames and without a route. Only the line of the request is counted.
  addFilter(ofRequests, 'outcome', exist('outcome', 'route'), { dimensions: { outcome: field('outcome') } })
  const dimensions = { kind: field('fault'), network: field('network') }
  addFilter(ofRequests, 'faults', exist('fault', 'network'), { dimensions })
  return {
    outcome: slug => toCount(namespace, 'outcome').with({ dimensionsMap: { outcome: slug } }),
    faults: new SearchExpression({
      expression: `SEARCH('{${namespace},kind,network} MetricName="faults"', 'Sum', ${period.toSeconds()})`,
      label: '',
      period,
    }),
    firstEndpointFaults: addMeasure(ofRequests, 'firstEndpointFaults', Unit.COUNT),
    failovers: addCount(ofRequests, 'failovers', `${field('attempts')} > 1`),
    lastResort: addPerNetwork(ofRequests, 'lastResort', `(${field('lastResort')} IS TRUE) && ${exist('network')}`, {}),
    unreadable: addCount(ofRequests, 'unreadable', exist('unreadable[0]')),
    rpcMs: addMeasure(ofRequests, 'rpcMs', Unit.MILLISECONDS),
    headAgeSeconds: addMeasure(ofRequests, 'headAgeSeconds', Unit.SECONDS),
    tooManyRequests: addCount(ofAccess, 'tooManyRequests', '$.status = "429"'),
    serverErrors: addCount(ofAccess, 'serverErrors', serverErrors),
  }
}

/**
 * A 502 of a function is `feed-unreadable`, also when the cache repeats it. A 502 of the gateway has a type of error.
 *
 * The access log has texts only, and a hyphen for what is absent. A cached answer has no fields of an integration.
 */
const serverErrors =
  '($.status = "500") || (($.status = "502") && ($.errorResponseType != "-")) || ($.status = "503") || ($.status = "504")'

const period = Duration.minutes(5)

/** The source of log lines, and the namespace of their metrics. */
interface Place {
  readonly logGroup: LogGroup
  readonly namespace: string
}

function addCount(place: Place, metricName: string, pattern: string): Metric {
  addFilter(place, metricName, pattern, {})
  return toCount(place.namespace, metricName)
}

function toCount(namespace: string, metricName: string): Metric {
  return new Metric({ namespace, metricName, statistic: Stats.SUM, period })
}

function addMeasure(place: Place, metricName: string, unit: Unit): PerNetwork {
  return addPerNetwork(place, metricName, exist(metricName, 'network'), { metricValue: field(metricName), unit })
}

function addPerNetwork(place: Place, metricName: string, pattern: string, value: Value): PerNetwork {
  addFilter(place, metricName, pattern, { ...value, dimensions: { network: field('network') } })
  const { namespace } = place
  return (network, statistic) => {
    const label = `${network} ${statistic}`
    return new Metric({ namespace, metricName, dimensionsMap: { network }, statistic, period, label })
  }
}

type Value = Pick<MetricFilterOptions, 'metricValue' | 'unit' | 'dimensions'>

/** Adds a filter that counts lines, unless it has another value. */
function addFilter({ logGroup, namespace }: Place, metricName: string, pattern: string, value: Value): void {
  // A literal pattern: CDK's builders put the asterisk in quotes, which matches no field.
  const filterPattern = FilterPattern.literal(`{ ${pattern} }`)
  const counted = { metricValue: '1', unit: Unit.COUNT, ...value }
  logGroup.addMetricFilter(metricName, { ...counted, metricName, metricNamespace: namespace, filterPattern })
}

/** A pattern of the lines that have all of these fields. A filter takes its value and its dimensions from fields of its pattern. */
function exist(...paths: readonly string[]): string {
  return paths.map(path => `(${field(path)} = *)`).join(' && ')
}

/**
 * Selects a field of a line of the request log, which Lambda nests in `message`.
 *
 * A selector needs no quotes for letters, digits, hyphens and underscores. It matches an element of an array, but not an array.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function field(path: string): string {
  return `$.message.${path}`
}
