import { type Network, networks } from '../lambda/networks.ts'
import { formatAge } from './age.ts'
import type { Latest } from './api-result.ts'
import { Failure } from './failure.tsx'
import { FeedTable } from './feed-table.tsx'
import type { OpenFeed } from './open-feed.ts'
import type { ShownEntry, ShownList, ShownRecord } from './price-answer.ts'
import { apiUrl } from './price-api.ts'
import { RecordDialog } from './record-dialog.tsx'
import { MeaningList } from './status-chip.tsx'
import { chipLabels } from './statuses.ts'
import { Summary } from './summary.tsx'
import { maxLength, toLabel, type View } from './view.ts'

/** Everything that the page shows. */
interface BoardProps {
  readonly view: View
  readonly list: Latest<ShownList>
  /** The feeds of the list that the view shows, in its order. */
  readonly shown: readonly ShownEntry[]
  readonly feed: OpenFeed | undefined
  readonly record: Latest<ShownRecord>
  readonly nowMs: number
  readonly change: (changed: Partial<View>) => void
  readonly retryList: () => void
  readonly retryRecord: () => void
}

/** The whole page. */
export function Board(props: BoardProps) {
  const { view, list, shown, feed, nowMs, change, retryList } = props
  return (
    <>
      <a class="skip" href="#feeds">
        Skip to the feeds
      </a>
      <Header network={view.network} onSelect={network => change({ network, feed: undefined })} />
      <main data-failed={list.failed && ''}>
        {list.loaded?.localChains.has(view.network) && (
          <p class="stand-in" role="note">
            <strong>Stand-in data.</strong> These prices are invented, on a local chain. Links to the explorer lead to
            the real chain.
          </p>
        )}
        <Bar {...props} />
        <Summary feeds={list.loaded?.value.feeds} show={view.show} onSelect={show => change({ show })} />
        <Failure id="failure" latest={list} hasValue={list.loaded !== undefined} {...{ nowMs }} onRetry={retryList} />
        <section class="scroll" id="feeds" aria-label="Feeds">
          <FeedTable
            {...{ view, shown, change }}
            secondsSinceRead={list.loaded && (nowMs - list.loaded.readAtMs) / 1_000}
            isLoading={list.loaded === undefined && list.failed === undefined}
            isLastKnown={list.failed !== undefined}
          />
          <p id="empty" class="empty" role="status">
            {shown.length === 0 && toEmptyText(list)}
          </p>
        </section>
      </main>
      <Footer />
      {feed !== undefined && <RecordDialog {...props} feed={feed} />}
      <MeaningList />
    </>
  )
}

function toEmptyText({ loaded, failed }: Latest<ShownList>): string {
  if (loaded !== undefined) return 'No feed matches.'
  return failed === undefined ? 'Reading the chain…' : 'There is nothing to show yet.'
}

function Header({ network, onSelect }: { network: Network; onSelect: (network: Network) => void }) {
  return (
    <header>
      <h1>Price Lookup</h1>
      <p class="about">
        What a contract would see right now at the price feeds of tokenized stocks.{' '}
        <strong>For inspection only: a protocol must read the feed on-chain.</strong>
      </p>
      <fieldset class="networks">
        <legend class="hidden">Network</legend>
        {networks.map(name => (
          <label key={name}>
            <input
              type="radio"
              name="network"
              value={name}
              checked={name === network}
              onChange={() => onSelect(name)}
            />
            <span>{toLabel(name)}</span>
          </label>
        ))}
      </fieldset>
    </header>
  )
}

function Bar({ view, list: { loaded }, shown, nowMs, change }: BoardProps) {
  const list = loaded?.value
  return (
    <div class="bar">
      <label>
        {'Symbol '}
        <input
          id="search"
          type="search"
          placeholder="or address"
          autocomplete="off"
          spellcheck={false}
          maxlength={maxLength}
          title="Press / to search"
          aria-keyshortcuts="/"
          value={view.search}
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
      </label>
      <label>
        {'Show '}
        <select id="show" value={view.show} onChange={({ currentTarget }) => change({ show: currentTarget.value })}>
          <option value="">All</option>
          <option value="served">Served to a contract</option>
          <option value="not-served">Not served</option>
          {chipLabels.map(label => (
            <option key={label}>{label}</option>
          ))}
        </select>
      </label>
      <p id="count" class="count" role="status">
        {list && `${shown.length} of ${list.feeds.length} feeds`}
      </p>
      <p id="freshness" class="freshness">
        {list && `${list.network}, block ${list.block}, read `}
        {loaded && `${formatAge((nowMs - loaded.readAtMs) / 1_000)} ago`}
      </p>
    </div>
  )
}

function Footer() {
  return (
    <footer>
      <p>
        All rows are from one block, read through <a href={`${apiUrl}price`}>GET /price</a>. The line above the table
        shows when. The API is described for people by its <a href={`${apiUrl}docs`}>reference</a>, for tools by{' '}
        <a href={`${apiUrl}openapi.json`}>openapi.json</a>.
      </p>
    </footer>
  )
}
