import type { VNode } from 'preact'
import { defaultNetwork, type Network, networkFacts, networks } from '../../api/networks.ts'
import { Ago } from './ago.tsx'
import { Choice } from './choice.tsx'
import { secondsSince } from './data/clock.ts'
import { type Due, isPast, type Latest, type Loaded } from './data/latest.ts'
import { formatAge, formatTime } from './data/numbers.ts'
import { apiUrl } from './data/requests.ts'
import { toVerdict, type Verdict } from './data/verdict.ts'
import { Failure } from './failure.tsx'
import { FeedList } from './list/feed-list.tsx'
import type { View } from './view.ts'

export interface BoardProps {
  readonly view: View
  readonly latest: Latest
  readonly due: Due
  readonly dialog: VNode | undefined
  readonly change: (changed: Partial<View>) => void
}

export function Board(props: BoardProps) {
  const { view, dialog, change } = props
  return (
    <>
      <header>
        <h1>Price Lookup</h1>
        <a href={`${apiUrl}docs`}>Reference</a>
        <Choice
          name="network"
          options={networks.map(network => [network, network])}
          chosen={view.network}
          onChoose={network => change({ network, feed: undefined })}
        />
      </header>
      <main key={view.network}>
        {view.network === undefined ? <UnknownNetwork /> : <Feeds {...props} network={view.network} />}
      </main>
      {dialog}
    </>
  )
}

function UnknownNetwork() {
  return (
    <>
      <h2>Unknown network</h2>
      <p role="alert">The address of this page names a network that does not exist.</p>
    </>
  )
}

/** How many feeds serve, of which block and how old that is, and the feeds. */
function Feeds({ network, view, latest, due, change }: BoardProps & { readonly network: Network }) {
  const { loaded, failed } = latest
  const {
    chain: { name },
    maxHeadAgeSeconds,
  } = networkFacts[network]
  // An idle chain's latest block may be of any age.
  const when = maxHeadAgeSeconds === undefined ? 'at this block' : 'now'
  const waiting = failed === undefined ? `Reading ${name}…` : `${name} has not been read yet`
  return (
    <>
      <h2>{loaded ? formatCounts(loaded, isPast(latest), when) : waiting}</h2>
      <p class="soft">
        {`Each row is a price feed: a contract that reports the price of a tokenized stock on ${name}. It serves the ` +
          'price if the call of a lending market returns it.'}
      </p>
      <p class="soft">
        {'For inspection only: a protocol must read the feed on-chain. '}
        {loaded && (
          <span class="reading">
            <Ago text={formatReading(loaded)} seconds={secondsSince(loaded.readMoment)} />
          </span>
        )}
      </p>
      <Failure {...{ latest, due }} />
      {loaded && <Note {...{ network, loaded }} isPast={isPast(latest)} />}
      {loaded && <FeedList {...{ network, view, loaded, change }} isPast={isPast(latest)} />}
    </>
  )
}

interface NoteProps {
  readonly network: Network
  readonly loaded: Loaded
  readonly isPast: boolean
}

/** States that the prices are invented, or of the past. It stays visible above a list that is scrolled. */
function Note({ network, loaded, isPast }: NoteProps) {
  const isLocal = loaded.localRpcUrl !== undefined
  if (!isLocal && !isPast) return null
  // The local run changes the status of one feed, of the default network, seven times in two minutes.
  const change = network === defaultNetwork ? ' Every 17\xA0s, one status changes.' : ''
  return (
    <p class="note" role="note">
      {isPast ? (
        <>
          <span>{`${isLocal ? 'Invented prices' : 'Prices'} of the past: read `}</span>
          <span>{`${formatAge(secondsSince(loaded.readMoment))} ago.`}</span>
        </>
      ) : (
        <span>{`Invented prices on a local chain.${change}`}</span>
      )}
    </p>
  )
}

function formatReading({ list: { block, readAt } }: Loaded): string {
  return `Block ${block}, read ${formatTime(readAt)}`
}

function formatCounts({ list: { feeds } }: Loaded, isPast: boolean, when: string): string {
  const count = (verdict: Verdict) => feeds.filter(entry => toVerdict(entry) === verdict).length
  const served = `${count('served')} of ${feeds.length} feeds would`
  const unreadable = count('unreadable')
  const others = unreadable === 0 ? '' : `, ${unreadable} unreadable`
  if (!isPast) return `${served} serve a lending market ${when}${others}`
  return `When last read, ${served} have served a lending market${others}`
}
