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
          name="Network"
          options={networks.map(network => [network, network])}
          chosen={view.network}
          onChoose={network => change({ network, feed: undefined })}
        />
      </header>
      <main>{view.network === undefined ? <UnknownNetwork /> : <Feeds {...props} network={view.network} />}</main>
      {dialog}
    </>
  )
}

function UnknownNetwork() {
  return (
    <>
      <h2>Unknown network</h2>
      <p role="alert">No network has this name.</p>
    </>
  )
}

/**
 * How many feeds serve, of which block and how old that is, and the feeds. A screen reader also reads each change of the
 * heading: another network, another number, and the end of a failure.
 */
function Feeds({ network, view, latest, due, change }: BoardProps & { readonly network: Network }) {
  const { loaded, failed } = latest
  const { name } = networkFacts[network].chain
  const waiting = failed === undefined ? `Reading ${name}…` : `${name} could not be read`
  return (
    <>
      <h2 aria-live="polite">
        <span>{loaded ? formatCounts(network, loaded, isPast(latest)) : waiting}</span>
      </h2>
      <p class="soft">
        {`A feed is a contract on ${name} that reports the price of a tokenized stock. Served: a lending market ` +
          'that asks the feed gets this price. For inspection only: the feeds are unaudited, and a protocol must read ' +
          `them on-chain.${network === defaultNetwork ? '' : ' These tokens are for tests.'}`}
      </p>
      {loaded && (
        <p class="soft">
          <Ago text={formatReading(loaded)} seconds={secondsSince(loaded.readMoment)} />
        </p>
      )}
      <Failure {...{ latest, due }} />
      {loaded && <Note {...{ network, loaded }} isPast={isPast(latest)} />}
      {loaded && <FeedList key={network} {...{ network, view, loaded, change }} isPast={isPast(latest)} />}
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
  // The local run gives one feed of the default network each of the seven statuses in two minutes.
  const change = network === defaultNetwork ? ' The status of SHOP changes every 17\xA0s.' : ''
  return (
    <p class="note" role="note">
      {isPast ? (
        <>
          <span>{`${isLocal ? 'Invented prices. ' : ''}Not up to date: read `}</span>
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

function formatCounts(network: Network, { list: { feeds } }: Loaded, isPast: boolean): string {
  const count = (verdict: Verdict) => feeds.filter(entry => toVerdict(entry) === verdict).length
  const served = `${count('served')} of ${feeds.length} feeds would`
  const unreadable = count('unreadable')
  const others = unreadable === 0 ? '' : `, ${unreadable} unreadable`
  // An idle chain's latest block may be of any age.
  const when = networkFacts[network].maxHeadAgeSeconds === undefined ? 'at the latest block' : 'now'
  if (!isPast) return `${served} serve a lending market ${when}${others}`
  return `When last read, ${served} have served a lending market${others}`
}
