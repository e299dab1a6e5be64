import type { TargetedMouseEvent } from 'preact'
import { Change, Digits, type FirstPrices } from './digits.tsx'
import { isUnreadable, type ShownEntry, type ShownRecord } from './price-response.ts'
import { formatAge, formatPrice, roundMultiplier } from './shown-number.ts'
import { StatusChip } from './status-chip.tsx'
import { statusOf } from './statuses.ts'

interface FeedRowProps {
  readonly symbol: string
  /** Undefined if nothing was read yet: a dash for each value. */
  readonly entry: ShownEntry | undefined
  /** The company or fund. */
  readonly name: string | undefined
  readonly first: FirstPrices | undefined
  /** The URL of the view with this feed open. */
  readonly href: string
  readonly secondsSinceRead: number
  readonly isLastKnown: boolean
  readonly onOpen: () => void
}

/** The row of one feed. */
export function FeedRow(props: FeedRowProps) {
  const { symbol, entry, name, first, href, secondsSinceRead, isLastKnown, onOpen } = props
  const record = entry === undefined || isUnreadable(entry) ? undefined : entry
  const ageSeconds = record?.ageSeconds ?? null
  const status = entry && statusOf(entry)
  const verdict = record === undefined ? '–' : toWord(record)
  return (
    <tr role="row" class={record?.servesLatestRoundData ? undefined : 'refused'} onClick={forwardToLink}>
      <th role="rowheader" scope="row" class="symbol">
        <a href={href} data-feed={symbol} onClick={event => openHere(event, onOpen)}>
          {symbol}
        </a>
        <span class="name">{name}</span>
      </th>
      <td role="cell" class="status">
        {status === undefined ? '–' : <StatusChip key={status} {...{ status, isLastKnown }} />}
      </td>
      <td role="cell" class="price">
        <Digits text={formatPrice(record?.price)} maxDecimals={8} />
        <Change {...{ record, first }} />
      </td>
      <td role="cell" class="sharePrice">
        <Digits text={formatPrice(record?.sharePrice)} maxDecimals={8} />
      </td>
      <td role="cell" class="multiplier">
        <Digits text={roundMultiplier(record?.multiplier)} maxDecimals={6} />
      </td>
      <td role="cell" class="age">
        <time datetime={record?.observedAtIso ?? undefined}>
          {ageSeconds === null ? '–' : formatAge(ageSeconds + secondsSinceRead)}
        </time>
      </td>
      <td role="cell" class="served">
        <span key={verdict} data-served={record?.servesLatestRoundData}>
          {verdict}
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

function toWord({ price, servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  if (!servesLatestRoundData) return latestRoundDataReverts === undefined ? 'another' : 'reverts'
  return price === null ? 'zero' : 'the price'
}
