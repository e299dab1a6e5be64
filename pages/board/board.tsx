import type { VNode } from 'preact'
import { type Network, networkFacts, networks } from '../../api/networks.ts'
import { Choice } from './choice.tsx'
import { secondsSince } from './data/clock.ts'
import type { Latest, Loaded } from './data/latest.ts'
import { formatAge } from './data/numbers.ts'
import { apiUrl } from './data/requests.ts'
import type { ExactList } from './data/responses.ts'
import { toVerdict } from './data/verdict.ts'
import { Failure } from './failure.tsx'
import { FeedList } from './list/feed-list.tsx'
import { toLabel, type View } from './view.ts'

/** Everything that the page shows. */
export interface BoardProps {
  readonly view: View
  readonly list: Latest<ExactList>
  /** The dialog of the open feed. */
  readonly dialog: VNode | undefined
  readonly change: (changed: Partial<View>) => void
}

/** The whole page. */
export function Board(props: BoardProps) {
  const { view, list, dialog, change } = props
  const { loaded, failed } = list
  return (
    <>
      <a class="skip" href="#feeds">
        Skip to the feeds
      </a>
      <header>
        <h1>Price Lookup</h1>
        <a href={`${apiUrl}docs`}>API</a>
        <Choice
          name="network"
          legend="Network"
          options={networks.map(network => [network, toLabel(network)])}
          chosen={view.hasUnknownNetwork ? undefined : view.network}
          onChoose={network => change({ network, hasUnknownNetwork: false, feed: undefined })}
        />
      </header>
      {view.hasUnknownNetwork ? (
        <UnknownNetwork />
      ) : (
        <main id="feeds" tabIndex={-1} key={view.network}>
          <Summary {...props} />
          <Failure failed={failed} />
          {loaded?.localChains.has(view.network) && (
            <p class="note" role="note">
              Stand-in data: invented prices on a local chain. Links to the explorer lead to the real one.
            </p>
          )}
          {loaded && <FeedList {...{ view, loaded, change }} isLastKnown={failed !== undefined} />}
        </main>
      )}
      {dialog}
    </>
  )
}

function UnknownNetwork() {
  return (
    <main id="feeds" tabIndex={-1}>
      <h2 class="summary">Unknown network</h2>
      <p role="alert">
        The address of this page names a network that does not exist. There are{' '}
        {networks.map(network => `${toLabel(network)} (${networkFacts[network].chain.name})`).join(' and ')}.
      </p>
    </main>
  )
}

/** How many feeds serve, of which block, and how old it is. */
function Summary({ view, list: { loaded, failed } }: BoardProps) {
  const { name } = networkFacts[view.network].chain
  const waiting = failed === undefined ? `Reading ${name}…` : `${name} has not been read yet`
  return (
    <>
      <h2 class="summary">{loaded ? formatCounts(view.network, loaded, failed !== undefined) : waiting}</h2>
      <p>For inspection only: a protocol must read the feed on-chain.</p>
      <p class="soft">
        {loaded && `${name}, block ${loaded.value.block}, read ${formatAge(secondsSince(loaded.readMoment))} ago`}
      </p>
    </>
  )
}

/** Counts the feeds that serve: in the past tense if the last request has failed. An idle chain's block may be old. */
function formatCounts(
  network: Network,
  { value: { feeds }, readMoment }: Loaded<ExactList>,
  isLastKnown: boolean,
): string {
  const count = (verdict: string) => feeds.filter(entry => toVerdict(entry) === verdict).length
  const served = `${count('served')} of ${feeds.length} feeds would`
  const unreadable = count('unreadable')
  const be = unreadable === 1 ? ['is', 'was'] : ['are', 'were']
  const others = unreadable === 0 ? '' : `, ${unreadable} ${be[isLastKnown ? 1 : 0]} unreadable`
  const when = networkFacts[network].maxHeadAgeSeconds === undefined ? 'at this block' : 'now'
  if (!isLastKnown) return `${served} serve a lending market ${when}${others}`
  const time = new Date(readMoment.wallMs).toTimeString().slice(0, 5)
  return `At ${time}, ${served} have served a lending market${others}`
}
