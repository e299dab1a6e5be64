import { Duration } from 'aws-cdk-lib'
import { Metric, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type LogGroup, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs'
import { faultKinds } from '../lambda/faults.ts'
import type { Network } from '../lambda/feeds/registry.ts'
import type { ProblemSlug } from '../lambda/problems.ts'

/** The metrics that come of the functions' log lines, over all functions. */
export interface LogMetrics {
  /** How often endpoints failed: a metric per kind of fault. */
  readonly faults: readonly Metric[]
  /** Requests that more than one endpoint was asked for. */
  readonly failovers: Metric
  /** Requests that the last of several endpoints answered. */
  readonly lastResort: Metric
  /** Requests with a feed in them that could not be read. */
  readonly unreadable: Metric
  /** Requests that ended in the problem. */
  readonly chainUnavailable: Metric
  readonly notConfigured: Metric
  readonly internal: Metric
  /** Milliseconds that a read of the chain took. */
  readonly rpcMs: PerNetwork
  readonly headAgeSeconds: PerNetwork
}

/** Gives the metric of one network, with a statistic over five minutes. */
type PerNetwork = (network: Network, statistic: string) => Metric

/** Where the lines are, and where the metrics go. */
interface Place {
  readonly logGroups: readonly LogGroup[]
  readonly namespace: string
}

/**
 * Makes metrics of the functions' log lines, with one filter for each metric on each log group.
 *
 * None has a default value: a metric costs money in the hours that it gets a value, and most of these count bad days alone.
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
  // An unexpected error has a line of its own besides, with frames and without a route: only the request's line counts.
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
  // As the documentation writes patterns: CDK's own builders put the asterisk in quotes.
  const filterPattern = FilterPattern.literal(`{ ${pattern} }`)
  for (const logGroup of logGroups) {
    logGroup.addMetricFilter(filter.metricName, { ...filter, filterPattern, metricNamespace: namespace })
  }
}

/**
 * Selects a field of a request's line, which Lambda puts under `message`.
 *
 * Selectors take letters, digits, hyphens and underscores as they are; an array is no value, but its elements are.
 */
function field(path: string): string {
  return `$.message.${path}`
}
