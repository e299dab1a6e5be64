import type { TargetedMouseEvent } from 'preact'
import { formatAge } from './age.ts'
import { isUnreadable, type ShownEntry, type ShownRecord } from './price-answer.ts'
import { StatusChip } from './status-chip.tsx'
import { statusOf } from './statuses.ts'

interface FeedRowProps {
  readonly entry: ShownEntry
  /** The URL of the view with this feed open. */
  readonly href: string
  readonly secondsSinceRead: number
  readonly isLastKnown: boolean
  readonly onOpen: () => void
}

/**
 * The row of one feed.
 *
 * A text that is aligned right has its content as key: Chromium counts a new start of a text as a layout shift, and a new
 * element has none.
 */
export function FeedRow({ entry, href, secondsSinceRead, isLastKnown, onOpen }: FeedRowProps) {
  const record = isUnreadable(entry) ? undefined : entry
  const ageSeconds = record?.ageSeconds ?? null
  const verdict = record === undefined ? '–' : toVerdict(record)
  return (
    <tr role="row" onClick={forwardToLink}>
      <th role="rowheader" scope="row" class="symbol">
        <a href={href} data-feed={entry.symbol} onClick={event => openHere(event, onOpen)}>
          {entry.symbol}
        </a>
      </th>
      <td role="cell" class="status">
        <StatusChip status={statusOf(entry)} isLastKnown={isLastKnown} />
      </td>
      <NumberCell column="price" text={record?.price} />
      <NumberCell column="share" text={record?.sharePrice} />
      <NumberCell column="multiplier" text={record?.multiplier} />
      <td role="cell" class="age" data-label="Age">
        <time datetime={record?.observedAtIso ?? undefined}>
          {ageSeconds === null ? '–' : formatAge(ageSeconds + secondsSinceRead)}
        </time>
      </td>
      <td role="cell" class="served" data-label="latestRoundData()">
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
  if (!(target instanceof Element) || target.closest('a, button, .tip') !== null) return
  const forward = () => {
    const isSelecting = getSelection()?.isCollapsed === false
    if (!isSelecting) currentTarget.querySelector('a')?.dispatchEvent(new MouseEvent('click', event))
  }
  // A click on a text can be the first of a double click, which selects it.
  setTimeout(forward, target.matches('tr, th, td') ? 0 : doubleClickMs)
}

/** Opens the feed on this page, unless a key requests a new tab or window. */
export function openHere(event: MouseEvent, open: () => void): void {
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

/** The columns of numbers: the label on a card, and how many decimals a number can have. */
const numbers = {
  price: ['Price, USD', 8],
  share: ['Share price', 8],
  multiplier: ['× Multiplier', 18],
} as const

/**
 * A number, padded by CSS so that the decimal points of a column are aligned.
 *
 * The padding is not part of the text, which can be copied and searched for.
 */
function NumberCell({ column, text }: { column: keyof typeof numbers; text: string | null | undefined }) {
  const [label, maxDecimals] = numbers[column]
  const [whole, decimals] = (text ?? '–').split('.')
  const padding = '0'.repeat(Math.max(0, maxDecimals - (decimals?.length ?? 0)))
  return (
    <td role="cell" class={`${column} number`} data-label={label}>
      <span key={text} class="digits" data-pad={decimals === undefined ? `.${padding}` : padding}>
        <span class="whole">{whole}</span>
        <span class="fraction">{decimals && `.${decimals}`}</span>
      </span>
    </td>
  )
}
