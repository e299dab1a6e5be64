import { networkFacts, networks } from '../../api/networks.ts'
import type { FirstPrices } from './digits.tsx'
import { copyRows, ExportButtons } from './export-buttons.tsx'
import { Failure } from './failure.tsx'
import type { FeedNames } from './feed-names.ts'
import { FeedTable } from './feed-table.tsx'
import { FilterButtons } from './filter-buttons.tsx'
import type { Latest } from './latest.ts'
import { NoFeeds } from './no-feeds.tsx'
import type { OpenFeed } from './open-feed.ts'
import { apiUrl } from './price-api.ts'
import type { ShownEntry, ShownList, ShownRecord } from './price-response.ts'
import { RecordDialog } from './record-dialog.tsx'
import { SearchBar } from './search-bar.tsx'
import { formatAge } from './shown-number.ts'
import { StandInNote } from './stand-in-note.tsx'
import { Legend } from './status-chip.tsx'
import { listSymbols, toLabel, type View } from './view.ts'

/** Everything that the page shows. */
export interface BoardProps {
  readonly view: View
  readonly list: Latest<ShownList>
  /** The feeds of the list that the view shows, in its order. */
  readonly shown: readonly ShownEntry[]
  readonly feed: OpenFeed | undefined
  readonly record: Latest<ShownRecord>
  readonly feedNames: FeedNames
  /** Of the network. Undefined until they are loaded. */
  readonly first: FirstPrices | undefined
  readonly nowMs: number
  readonly change: (changed: Partial<View>) => void
  readonly retryList: () => void
  readonly retryRecord: () => void
}

/** The whole page. */
export function Board(props: BoardProps) {
  const { view, list, feed } = props
  const { loaded, failed } = list
  return (
    <>
      <a class="skip" href="#feeds">
        Skip to the feeds
      </a>
      <Header {...props} />
      <main data-failed={failed && (loaded === undefined ? 'first' : 'later')}>
        {loaded?.localChains.has(view.network) && <StandInNote />}
        {view.hasUnknownNetwork ? <UnknownNetwork /> : <Feeds {...props} />}
      </main>
      <Footer hasRows={!view.hasUnknownNetwork && (loaded !== undefined || failed === undefined)} />
      {feed !== undefined && <RecordDialog {...props} feed={feed} />}
    </>
  )
}

function Header({ view, change }: BoardProps) {
  return (
    <header>
      <h1>Price Lookup</h1>
      <p class="about">
        <span class="wide">Price feeds of tokenized stocks, as a contract sees them right now. </span>
        <strong>For inspection only: a protocol must read the feed on-chain.</strong>
      </p>
      <a class="docs" href={`${apiUrl}docs`}>
        API<span class="wide"> reference</span>
      </a>
      <fieldset class="networks">
        <legend class="hidden">Network</legend>
        {networks.map(network => (
          <label key={network}>
            <input
              type="radio"
              name="network"
              value={network}
              checked={network === view.network && !view.hasUnknownNetwork}
              onChange={() => change({ network, hasUnknownNetwork: false, feed: undefined })}
            />
            <span>{toLabel(network)}</span>
          </label>
        ))}
      </fieldset>
    </header>
  )
}

function UnknownNetwork() {
  return (
    <p id="feeds" class="unknown-network" role="alert" tabIndex={-1}>
      <strong>Unknown network.</strong> The address of this page names a network that does not exist. There are{' '}
      {networks.map(network => `${toLabel(network)} (${networkFacts[network].chain.name})`).join(' and ')}.
    </p>
  )
}

function Feeds(props: BoardProps) {
  const { view, list, shown, feedNames, first, nowMs, change, retryList } = props
  const { loaded, failed } = list
  const isLoading = loaded === undefined && failed === undefined
  const hasNeverRead = loaded === undefined && failed !== undefined
  const unread = hasNeverRead ? listSymbols(view, feedNames) : []
  const names = feedNames[view.network]
  const secondsSinceRead = (nowMs - (loaded?.readAtMs ?? nowMs)) / 1_000
  return (
    <>
      <SearchBar {...{ view, shown, change }} />
      <div class="line">
        <Legend />
        <p class="counts">
          <span id="count" role="status">
            {loaded && formatCount(shown.length, loaded.value.feeds.length)}
          </span>
          <span id="freshness">
            {loaded && <span class="wide">{loaded.value.network}, </span>}
            {loaded && `block ${loaded.value.block}`}
            {loaded && <span class="on-screen">{`, read ${formatAge(secondsSinceRead)} ago`}</span>}
          </span>
          <span class="on-paper">{loaded && `read ${loaded.value.readAt}`}</span>
        </p>
        {hasNeverRead || <ExportButtons list={loaded?.value} network={view.network} {...{ shown, names }} />}
      </div>
      {hasNeverRead || (
        <FilterButtons feeds={loaded?.value.feeds} show={view.show} onSelect={show => change({ show })} />
      )}
      <Failure id="failure" latest={list} hasValue={loaded !== undefined} {...{ nowMs }} onRetry={retryList} />
      <section class="scroll" id="feeds" aria-label="Feeds" onCopy={event => copyRows(event, { shown, names })}>
        <FeedTable
          {...{ view, shown, unread, names, first, secondsSinceRead, isLoading, change }}
          isLastKnown={failed !== undefined}
        />
        <NoFeeds
          {...{ view, feedNames, isLoading, change }}
          isEmpty={!isLoading && shown.length + unread.length === 0}
        />
      </section>
    </>
  )
}

function formatCount(shown: number, all: number): string {
  return `${shown === all ? '' : `${shown} of `}${all} ${all === 1 ? 'feed' : 'feeds'}`
}

function Footer({ hasRows }: { hasRows: boolean }) {
  return (
    <footer>
      <p>
        {hasRows && (
          <>
            All rows are from one block, read through <a href={`${apiUrl}price`}>GET /price</a>. The line above the
            table shows when.{' '}
          </>
        )}
        The API is described for people by its <a href={`${apiUrl}docs`}>reference</a>, for tools by{' '}
        <a href={`${apiUrl}openapi.json`}>openapi.json</a>.
      </p>
      <p class="keys">
        Keys: <kbd>/</kbd> searches, <kbd>Enter</kbd> opens the only feed found, <kbd>←</kbd> and <kbd>→</kbd> lead from
        record to record, <kbd>Esc</kbd> closes one.
      </p>
    </footer>
  )
}
