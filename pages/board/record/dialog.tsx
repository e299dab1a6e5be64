import { type Network, networkFacts, toQuery } from '../../../api/networks.ts'
import { secondsSince } from '../data/clock.ts'
import { type Due, isPast, type Latest } from '../data/latest.ts'
import { apiUrl } from '../data/requests.ts'
import { isSymbol } from '../data/responses.ts'
import { formatVerdict } from '../data/verdict.ts'
import { Failure } from '../failure.tsx'
import { findEntry } from '../list/search.ts'
import { NoMatch } from '../no-match.tsx'
import { Commands, Facts } from './facts.tsx'
import { keepOpen, toHandlers } from './modal.ts'
import { PriceAndVerdict } from './price-and-verdict.tsx'

interface RecordDialogProps {
  readonly network: Network
  /**
   * The symbol in the page's URL, in any case. It can be any text, and is shown only if it has the form of a symbol.
   */
  readonly feed: string
  readonly latest: Latest
  readonly due: Due
  readonly onClose: () => void
}

/** The modal dialog of one feed, with its entry of the list. It is open as long as it is part of the page. */
export function RecordDialog({ network, feed, latest, due, onClose }: RecordDialogProps) {
  const { chain, rpcUrl } = networkFacts[network]
  const { loaded } = latest
  const entry = loaded && findEntry(loaded.list.feeds, feed)
  const title = entry?.symbol ?? (isSymbol(feed) ? feed : 'Feed')
  const verdict = entry && formatVerdict(entry, isPast(latest))
  const localRpcUrl = loaded?.localRpcUrl
  const isLocal = localRpcUrl !== undefined
  return (
    <dialog
      ref={keepOpen}
      {...toHandlers(onClose)}
      data-symbol={entry?.symbol}
      aria-label={[title, verdict ?? []].flat().join(', ')}
    >
      <div class="bar">
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" autofocus onClick={onClose}>
          ×
        </button>
      </div>
      <p class="soft">{[entry?.name ?? [], chain.name, entry && isLocal ? 'invented' : []].flat().join(' · ')}</p>
      <Failure {...{ latest, due }} />
      {loaded && entry === undefined && (
        <>
          <p class="failure" role="status">
            <NoMatch network={network} wanted={isSymbol(feed) ? { feed } : undefined} />
          </p>
          <p>
            <a href={apiUrl + toQuery(network)}>{`The feeds of the ${network}`}</a>
          </p>
        </>
      )}
      {entry && <PriceAndVerdict entry={entry} isPast={isPast(latest)} />}
      {entry && loaded && <Facts entry={entry} secondsSinceRead={secondsSince(loaded.readMoment)} isLocal={isLocal} />}
      {entry?.problem === undefined && entry && (
        <Commands
          record={entry}
          rpcUrl={localRpcUrl ?? rpcUrl}
          jsonPath={`${new URL(apiUrl).pathname}price/${entry.symbol}${toQuery(network)}`}
        />
      )}
    </dialog>
  )
}
