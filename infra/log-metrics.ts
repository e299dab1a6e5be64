import { Duration } from 'aws-cdk-lib'
import { Metric, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type LogGroup, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs'
import { faultKinds } from '../lambda/faults.ts'
import type { Network } from '../lambda/feeds/registry.ts'
import type { ProblemSlug } from '../lambda/problems.ts'

/** Metrics of the log lines of all functions. */
export interface LogMetrics {
  /** Faults of endpoints: one metric per kind. */
  readonly faults: readonly Metric[]
  /** Requests for which more than one endpoint was asked. */
  readonly failovers: Metric
  /** Requests that the last of several endpoints answered. */
  readonly lastResort: Metric
  /** Requests with a feed that could not be read. */
  readonly unreadable: Metric
  /** Requests that ended in the problem. */
  readonly chainUnavailable: Metric
  readonly notConfigured: Metric
  readonly internal: Metric
  /** Milliseconds that a read of the chain took. */
  readonly rpcMs: PerNetwork
  readonly headAgeSeconds: PerNetwork
}

/** Returns the metric of one network, with a statistic over five minutes. */
type PerNetwork = (network: Network, statistic: string) => Metric

/** The source of the log lines, and the namespace of the metrics. */
interface Place {
  readonly logGroups: readonly LogGroup[]
  readonly namespace: string
}

/**
 * Adds the metrics of the functions' log lines: one filter per metric and log group.
 *
 * None has a default value: a metric is billed for the hours in which it has a value, and most of these count failures.
 */
export function addLogMetrics(place: Place): LogMetrics {
  return {
    faults: faultKinds.map(kind => {
      const counted = field(`faults.${kind}`)
      return addCount(place, `faults.${kind}`, `${counted} > 0`, counted)
    }),
    failovers: addCount(place, 'failovers', `${field('attempts')} > 1`),
    lastResort: addCount(place, 'lastResort', `${field('lastResort')} IS TRUE`),
    unreadable: addCount(place, 'unreadable', `${field('unreadable[0]')} = *`),
    chainUnavailable: addProblemCount(place, 'chain-unavailable'),
    notConfigured: addProblemCount(place, 'not-configured'),
    internal: addProblemCount(place, 'internal'),
    rpcMs: addMeasure(place, 'rpcMs', Unit.MILLISECONDS),
    headAgeSeconds: addMeasure(place, 'headAgeSeconds', Unit.SECONDS),
  }
}

const period = Duration.minutes(5)

function addProblemCount(place: Place, slug: ProblemSlug): Metric {
  // An unexpected error writes a second line, with stack frames and without a route. Only the line of the request is counted.
  return addCount(place, `outcome.${slug}`, `(${field('outcome')} = "${slug}") && (${field('route')} = *)`)
}

function addCount(place: Place, metricName: string, pattern: string, metricValue = '1'): Metric {
  addFilters(place, pattern, { metricName, metricValue, unit: Unit.COUNT })
  return new Metric({ namespace: place.namespace, metricName, statistic: Stats.SUM, period })
}

function addMeasure(place: Place, metricName: string, unit: Unit): PerNetwork {
  const metricValue = field(metricName)
  const network = field('network')
  addFilters(place, `(${metricValue} = *) && (${network} = *)`, {
    metricName,
    metricValue,
    dimensions: { network },
    unit,
  })
  const { namespace } = place
  return (network, statistic) => {
    const label = `${network} ${statistic}`
    return new Metric({ namespace, metricName, dimensionsMap: { network }, statistic, period, label })
  }
}

type Filter = Omit<MetricFilterOptions, 'metricNamespace' | 'filterPattern'>

function addFilters({ logGroups, namespace }: Place, pattern: string, filter: Filter): void {
  // A literal pattern: CDK's builders put the asterisk in quotes, which matches no field.
  const filterPattern = FilterPattern.literal(`{ ${pattern} }`)
  for (const logGroup of logGroups) {
    logGroup.addMetricFilter(filter.metricName, { ...filter, filterPattern, metricNamespace: namespace })
  }
}

/**
 * Selects a field of a request's log line, which Lambda nests in `message`.
 *
 * A selector needs no quotes for letters, digits, hyphens and underscores. It matches an element of an array, but not an array.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function field(path: string): string {
  return `$.message.${path}`
}
