import { networks } from '../../api/networks.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { formatAge } from '../board/data/numbers.ts'
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
          return [...byLimit].map(([limit, feeds]) => [
            `limit-${network}-${limit}`,
            formatAge(limit),
            network,
            feeds.map(({ symbol }) => symbol).join(', '),
          ])
        })}
      />
    </>
  )
}
