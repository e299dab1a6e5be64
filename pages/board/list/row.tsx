import type { TargetedMouseEvent } from 'preact'
import { formatAge, formatMultiplier, formatPrice } from '../data/numbers.ts'
import type { Entry } from '../data/responses.ts'
import { formatVerdict, marks, toVerdict } from '../data/verdict.ts'

interface FeedRowProps {
  readonly entry: Entry
  readonly href: string
  readonly secondsSinceRead: number
  readonly isPast: boolean
  readonly onOpen: () => void
}

const unread = { price: null, multiplier: null, ageSeconds: null }

/**
 * The row of one feed: what it is, whether it serves, its price for reading, for how many shares that is unless for one,
 * and how old the price is.
 *
 * Each text that can change is in a span, which the style excludes from pointer events: a press on a text and
 * the release on the text that replaced it are then a click on the cell.
 */
export function FeedRow({ entry, href, secondsSinceRead, isPast, onOpen }: FeedRowProps) {
  const verdict = toVerdict(entry)
  const { price, multiplier, ageSeconds } = entry.problem === undefined ? entry : unread
  const shares = multiplier === null ? '1' : formatMultiplier(multiplier)
  return (
    <tr role="row" class={verdict === 'served' ? undefined : 'refused'} onClick={forwardToLink}>
      <th role="rowheader" scope="row" class="symbol">
        <a href={href} data-feed={entry.symbol} onClick={event => openHere(event, onOpen)}>
          {entry.symbol}
        </a>
        <span class="name">{entry.name}</span>
      </th>
      <td role="cell" class="served">
        <span class="mark" aria-hidden="true">
          {marks[verdict]}
        </span>
        <span>{formatVerdict(entry, isPast)}</span>
      </td>
      <td role="cell" class="price">
        <span>{price === null ? 'none' : formatPrice(price)}</span>{' '}
        <span class="shares">{shares !== '1' && `for ${shares} shares`}</span>
      </td>
      <td role="cell" class="age">
        {/* Seconds matter in the first minute. */}
        <span>
          {ageSeconds === null ? 'none' : formatAge(ageSeconds + secondsSinceRead).replace(/(min) \d+ s$/, '$1')}
        </span>
      </td>
    </tr>
  )
}

/** Opens a feed on this page, unless a key requests a new tab or window. */
function openHere(event: MouseEvent, onOpen: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  onOpen()
}

/** Forwards a click beside the link of a row to the link, with its modifier keys, unless the click selects text. */
function forwardToLink(event: TargetedMouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget } = event
  if (!(target instanceof Element) || target.closest('a') !== null || getSelection()?.isCollapsed === false) return
  const link = currentTarget.querySelector('a')
  // A record that is closed returns the focus to the link.
  link?.focus()
  link?.dispatchEvent(new MouseEvent('click', event))
}
