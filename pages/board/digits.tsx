import { useRef } from 'preact/hooks'
import type { ShownRecord } from './price-response.ts'
import { formatChange } from './shown-number.ts'

interface DigitsProps {
  readonly text: string | null | undefined
  /** How many decimals a number of the column can have. Without it, no room is left for them. */
  readonly maxDecimals?: number
}

/**
 * A number, dimmed from the third decimal on. A new text tints it for a moment, green after a rise and red after a fall.
 *
 * CSS adds the separators of thousands, and the room that aligns the decimal points of a column. Neither is part of the
 * text, which can be copied and searched for. The key makes a new element for a new text. That starts the tint, and
 * prevents a layout shift: Chromium reports one when the left edge of an element moves, as with a text aligned right.
 */
export function Digits({ text, maxDecimals }: DigitsProps) {
  const movement = useMovement(text)
  const [whole = '', decimals] = (text ?? '–').split('.')
  const [first, ...thousands] = whole.split(/\B(?=(?:\d{3})+$)/)
  const zeros = '0'.repeat(Math.max(0, (maxDecimals ?? 0) - (decimals?.length ?? 0)))
  const pad = decimals === undefined ? `.${zeros}` : zeros
  return (
    <span key={text} class="digits" data-pad={maxDecimals && pad} data-movement={movement}>
      <span class="whole">
        {first}
        {thousands.map((group, index) => (
          <span key={index} class="thousands">
            {group}
          </span>
        ))}
      </span>
      <span class="fraction">
        {decimals && `.${decimals.slice(0, 2)}`}
        <span class="further">{decimals?.slice(2)}</span>
      </span>
    </span>
  )
}

/** Returns the direction of the last change of a number, while the component is mounted. */
function useMovement(text: string | null | undefined): 'up' | 'down' | undefined {
  const last = useRef(text)
  const movement = useRef<'up' | 'down'>(undefined)
  if (text && last.current && text !== last.current) {
    movement.current = Number(text) > Number(last.current) ? 'up' : 'down'
  }
  last.current = text
  return movement.current
}

/** The first list of a network since the page was opened: the start of all changes. */
export interface FirstPrices {
  /** When it was read: `since 06:43`. */
  readonly since: string
  /** By symbol. */
  readonly prices: ReadonlyMap<string, string>
}

interface ChangeProps {
  readonly record: ShownRecord | undefined
  readonly first: FirstPrices | undefined
}

/** The change of a price since the page first read it. Empty, but present, without one, so that a change moves nothing. */
export function Change({ record, first }: ChangeProps) {
  const text = record === undefined ? '' : formatChange(first?.prices.get(record.symbol), record.price)
  const movement = text.startsWith('+') ? 'up' : text.startsWith('−') ? 'down' : undefined
  return (
    <span key={text} class="change" data-movement={movement}>
      {text}
      {text !== '' && <span class="since"> {first?.since}</span>}
    </span>
  )
}
