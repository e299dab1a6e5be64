import { formatAge } from './age.ts'
import { isUnreadable, type ShownEntry, type ShownRecord } from './price-answer.ts'
import { StatusChip } from './status-chip.tsx'
import { statusOf } from './statuses.ts'
import { formatView, type SortKey, type View } from './view.ts'

/** The columns, with the sort key and the CSS class of each. */
const columns = [
  ['symbol', 'symbol', 'Symbol'],
  ['status', 'status', 'Status'],
  ['price', 'price number', 'Price, USD'],
  ['sharePrice', 'share number', 'Share price'],
  ['multiplier', 'multiplier number', '× Multiplier'],
  ['age', 'age', 'Age'],
  ['served', 'served', ['latest', <wbr key="1" />, 'Round', <wbr key="2" />, 'Data()']],
] as const

interface FeedTableProps {
  readonly view: View
  readonly shown: readonly ShownEntry[]
  readonly secondsSinceRead: number | undefined
  readonly isLoading: boolean
  readonly change: (changed: Partial<View>) => void
}

/**
 * The table of the feeds.
 *
 * The roles are explicit because narrow layouts display a row as a grid, and some browsers then do not expose it as a row.
 */
export function FeedTable({ view, shown, secondsSinceRead = 0, isLoading, change }: FeedTableProps) {
  const onSort = (sortBy: SortKey) => change({ sortBy, descending: view.sortBy === sortBy && !view.descending })
  const direction = view.descending ? 'descending' : 'ascending'
  return (
    <table id="table" role="table" aria-busy={isLoading}>
      <caption class="hidden">Price feeds. Column headers sort.</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(([sortBy, className, name]) => (
            <th
              key={sortBy}
              role="columnheader"
              scope="col"
              class={className}
              data-sort={sortBy}
              aria-sort={view.sortBy === sortBy ? direction : undefined}
            >
              <button type="button" onClick={() => onSort(sortBy)}>
                {name}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody id="rows" role="rowgroup">
        {shown.map(entry => (
          <FeedRow
            key={entry.symbol}
            entry={entry}
            href={formatView({ ...view, feed: entry.symbol })}
            secondsSinceRead={secondsSinceRead}
            onOpen={() => change({ feed: entry.symbol })}
          />
        ))}
      </tbody>
    </table>
  )
}

interface FeedRowProps {
  readonly entry: ShownEntry
  /** The URL of the view with this feed open. */
  readonly href: string
  readonly secondsSinceRead: number
  readonly onOpen: () => void
}

/**
 * The row of one feed.
 *
 * A text that is aligned right has its content as key: Chromium counts a new start of a text as a layout shift, and a new
 * element has none.
 */
function FeedRow({ entry, href, secondsSinceRead, onOpen }: FeedRowProps) {
  const record = isUnreadable(entry) ? undefined : entry
  const ageSeconds = record?.ageSeconds ?? null
  const verdict = record === undefined ? '–' : toVerdict(record)
  return (
    <tr role="row">
      <th role="rowheader" scope="row" class="symbol">
        <a href={href} data-feed={entry.symbol} onClick={event => openHere(event, onOpen)}>
          {entry.symbol}
        </a>
      </th>
      <td role="cell" class="status">
        <StatusChip status={statusOf(entry)} />
      </td>
      <NumberCell column="price" text={record?.price} />
      <NumberCell column="share" text={record?.sharePrice} />
      <NumberCell column="multiplier" text={record?.multiplier} />
      <td role="cell" class="age">
        <time datetime={record?.observedAtIso ?? undefined}>
          {ageSeconds === null ? '–' : formatAge(ageSeconds + secondsSinceRead)}
        </time>
      </td>
      <td key={verdict} role="cell" class="served" data-served={record?.servesLatestRoundData}>
        {toBreakable(verdict)}
      </td>
    </tr>
  )
}

/** Opens the feed on this page, unless a key requests a new tab or window. */
function openHere(event: MouseEvent, open: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  open()
}

function toVerdict({ servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  return servesLatestRoundData ? 'served' : (latestRoundDataReverts ?? 'another answer')
}

/** Allows a line break between the words of `FeedUnavailable`. */
function toBreakable(text: string) {
  return text.split(/(?<=[a-z])(?=[A-Z])/).flatMap(word => [word, <wbr key={word} />])
}

/** How many decimals the numbers of a column can have. */
const maxDecimals = { price: 8, share: 8, multiplier: 18 } as const

/**
 * A number, padded by CSS so that the decimal points of a column are aligned.
 *
 * The padding is not part of the text, which can be copied and searched for.
 */
function NumberCell({ column, text }: { column: keyof typeof maxDecimals; text: string | null | undefined }) {
  const [whole, decimals] = (text ?? '–').split('.')
  const padding = '0'.repeat(Math.max(0, maxDecimals[column] - (decimals?.length ?? 0)))
  return (
    <td role="cell" class={`${column} number`}>
      <span key={text} class="digits" data-pad={decimals === undefined ? `.${padding}` : padding}>
        <span class="whole">{whole}</span>
        <span class="fraction">{decimals && `.${decimals}`}</span>
      </span>
    </td>
  )
}
