import type { TargetedMouseEvent } from 'preact'
import { Change, Digits } from './digits.tsx'
import { isUnreadable, type ShownEntry, type ShownRecord } from './price-response.ts'
import { formatAge, roundMultiplier } from './shown-number.ts'
import { StatusChip } from './status-chip.tsx'
import { statusOf } from './statuses.ts'

interface FeedRowProps {
  readonly entry: ShownEntry
  /** The company or fund. */
  readonly name: string | undefined
  /** The price when the page was opened. */
  readonly firstPrice: string | undefined
  /** The URL of the view with this feed open. */
  readonly href: string
  readonly secondsSinceRead: number
  readonly isLastKnown: boolean
  readonly onOpen: () => void
}

/** The row of one feed. */
export function FeedRow({ entry, name, firstPrice, href, secondsSinceRead, isLastKnown, onOpen }: FeedRowProps) {
  const record = isUnreadable(entry) ? undefined : entry
  const ageSeconds = record?.ageSeconds ?? null
  const status = statusOf(entry)
  const verdict = record === undefined ? '–' : toVerdict(record)
  return (
    <tr role="row" onClick={forwardToLink}>
      <th role="rowheader" scope="row" class="symbol">
        <a href={href} data-feed={entry.symbol} onClick={event => openHere(event, onOpen)}>
          {entry.symbol}
        </a>
        <span class="name">{name}</span>
      </th>
      <td role="cell" class="status">
        <StatusChip key={status} status={status} isLastKnown={isLastKnown} />
      </td>
      <td role="cell" class="price" data-label="Price, USD">
        <Digits text={record?.price} maxDecimals={8} />
        <Change first={firstPrice} price={record?.price} />
      </td>
      <td role="cell" class="sharePrice" data-label="Share price">
        <Digits text={record?.sharePrice} maxDecimals={8} />
      </td>
      <td role="cell" class="multiplier" data-label="× Multiplier">
        <Digits text={roundMultiplier(record?.multiplier)} maxDecimals={6} />
      </td>
      <td role="cell" class="age" data-label="Age">
        <time datetime={record?.observedAtIso ?? undefined}>
          {ageSeconds === null ? '–' : formatAge(ageSeconds + secondsSinceRead)}
        </time>
      </td>
      <td role="cell" class="served" data-label="A contract gets">
        <span key={verdict} data-served={record?.servesLatestRoundData}>
          {toBreakable(verdict)}
        </span>
      </td>
    </tr>
  )
}

/** Longer than most double clicks take. */
const doubleClickMs = 250

/** Repeats a click on a row as a click on its link, with its modifier keys, unless it selects text. */
function forwardToLink(event: TargetedMouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget } = event
  if (!(target instanceof Element) || target.closest('a') !== null) return
  const forward = () => {
    const isSelecting = getSelection()?.isCollapsed === false
    if (!isSelecting) currentTarget.querySelector('a')?.dispatchEvent(new MouseEvent('click', event))
  }
  // A click on a text can be the first of a double click, which selects it.
  setTimeout(forward, target.matches('tr, th, td') ? 0 : doubleClickMs)
}

/** Opens a view on this page, unless a key requests a new tab or window. */
export function openHere(event: MouseEvent, open: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  open()
}

function toVerdict({ price, servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  if (!servesLatestRoundData) return latestRoundDataReverts ?? 'another answer'
  return price === null ? 'the answer 0' : 'the price'
}

/** Allows a line break between the words of `FeedUnavailable`. */
function toBreakable(text: string) {
  return text.split(/(?<=[a-z])(?=[A-Z])/).flatMap(word => [word, <wbr key={word} />])
}
