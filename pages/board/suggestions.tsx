import type { Hints } from './data/responses.ts'
import type { Unknown } from './list/search.ts'
import { formatView, parseView } from './view.ts'

/** Links to the feed of the symbol on other networks, or to feeds of similar symbols. */
export function Suggestions({ network, symbol, hints }: Unknown & { readonly hints: Hints }) {
  const links = [
    ...hints.networks.map(other => ({ text: `${symbol} has a feed on the ${other}`, network: other, feed: symbol })),
    ...hints.similarSymbols.map(similar => ({ text: `${similar}?`, network, feed: similar })),
  ]
  return links.map(({ text, ...feed }) => (
    <span key={text}>
      <a href={formatView({ ...parseView(''), ...feed })}>{text}</a>{' '}
    </span>
  ))
}
