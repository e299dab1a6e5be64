import { networks } from '../../api/networks.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { Table } from './prose.tsx'

/** The feeds of every network by the limit of their price's age. */
export function Feeds() {
  return (
    <>
      <p>
        The status is no longer OK when the price is older than the feed's limit. All of these feeds serve a price whose
        status is <a href="#status-market-closed">Market closed</a>.
      </p>
      <Table
        columns={['limit', 'network', 'symbols']}
        rows={networks.flatMap(network => {
          const byLimit = Map.groupBy(feedsOf(network), ({ maxAgeSeconds }) => maxAgeSeconds)
          return [...byLimit]
            .toSorted(([a], [b]) => a - b)
            .map(([limit, feeds]) => [
              `limit-${network}-${limit}`,
              formatDuration(limit),
              network,
              feeds.map(({ symbol }) => symbol).join(', '),
            ])
        })}
      />
    </>
  )
}

/** Formats a duration: `4 hours 15 minutes`. */
export function formatDuration(seconds: number): string {
  const parts = { hour: Math.floor(seconds / 3_600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 }
  return Object.entries(parts)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}
