import { openHere } from './feed-row.tsx'
import type { OpenFeed } from './open-feed.ts'
import { formatView, toLabel, type View } from './view.ts'

interface OtherFeedsProps {
  readonly view: View
  readonly feed: OpenFeed
  readonly change: (changed: Partial<View>) => void
}

/** Links to the feeds of the same symbol on other networks, or else to similar symbols. */
export function OtherFeeds({ view, feed: { elsewhere, similar }, change }: OtherFeedsProps) {
  const links = [...elsewhere, ...similar.map(symbol => [view.network, symbol] as const)]
  return links.map(([network, symbol]) => (
    <p key={`${network} ${symbol}`} class="about">
      <a
        href={formatView({ ...view, network, feed: symbol })}
        onClick={event => openHere(event, () => change({ network, feed: symbol }))}
      >
        {`See ${symbol}${network === view.network ? '' : ` on ${toLabel(network)}`}`}
      </a>
    </p>
  ))
}
