import { type Network, networkFacts, toQuery } from '../../../api/networks.ts'
import { secondsSince } from '../data/clock.ts'
import { isPast, type Latest } from '../data/latest.ts'
import { apiUrl } from '../data/requests.ts'
import type { ShownList, ShownRecord } from '../data/responses.ts'
import { Failure } from '../failure.tsx'
import { Commands, Facts } from './facts.tsx'
import { keepOpen, toHandlers } from './modal.ts'
import { PriceAndVerdict } from './price-and-verdict.tsx'

interface RecordDialogProps {
  readonly network: Network
  /** The symbol in the page's URL, in any case. It is never shown, because it can be any text. */
  readonly feed: string
  readonly list: Latest<ShownList>
  readonly record: Latest<ShownRecord>
  readonly onClose: () => void
}

/** The modal dialog of one feed. It is open as long as it is part of the page. Until its record arrives, it shows the list's. */
export function RecordDialog({ network, feed, list, record, onClose }: RecordDialogProps) {
  const { chain, rpcUrl } = networkFacts[network]
  const entry = list.loaded?.value.feeds.find(({ symbol }) => symbol.toLowerCase() === feed.toLowerCase())
  const known = record.loaded?.value ?? entry
  const source = record.loaded === undefined ? list : record
  const localRpcUrl = source.loaded?.localRpcUrl
  // The list may state the same of an unreadable feed.
  const isKnown = known?.problem !== undefined && known.problem.detail === record.failed?.detail
  const failed = isKnown ? undefined : record.failed
  return (
    <dialog ref={keepOpen} {...toHandlers(onClose)} data-symbol={known?.symbol} aria-labelledby="record-title">
      <header>
        <h2 id="record-title">{known?.symbol ?? 'Feed'}</h2>
        <p class="soft">{[entry?.name ?? [], chain.name, localRpcUrl ? 'invented' : []].flat().join(' · ')}</p>
        <button type="button" class="close" aria-label="Close" autofocus onClick={onClose}>
          ×
        </button>
      </header>
      {failed?.isPermanent ? <UnknownSymbol network={network} /> : <Failure failed={failed} />}
      {known && <PriceAndVerdict entry={known} isPast={failed !== undefined || isPast(source)} />}
      {known && source.loaded && <Facts entry={known} secondsSinceRead={secondsSince(source.loaded.readMoment)} />}
      {known?.problem === undefined && known && (
        <Commands
          record={known}
          rpcUrl={localRpcUrl ?? rpcUrl}
          jsonPath={`${new URL(apiUrl).pathname}price/${known.symbol}${toQuery(network)}`}
        />
      )}
    </dialog>
  )
}

/** The one failure that no further request changes. The sentence of the API names a request, where people need a link. */
function UnknownSymbol({ network }: Pick<RecordDialogProps, 'network'>) {
  return (
    <p class="failure" role="status">
      <span>{`This service has no feed of that symbol on the ${network}. `}</span>
      <a href={`./${toQuery(network)}`}>Its feeds</a>
    </p>
  )
}
