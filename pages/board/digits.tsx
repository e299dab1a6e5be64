import { useRef } from 'preact/hooks'
import { formatChange } from './shown-number.ts'

interface DigitsProps {
  readonly text: string | null | undefined
  /** How many decimals a number of the column can have. Without it the number is not padded. */
  readonly maxDecimals?: number
}

/**
 * A number. A new text tints it for a moment, green after a rise and red after a fall.
 *
 * CSS adds the separators of thousands, and the padding that aligns the decimal points of a column. Neither is part of
 * the text, which can be copied and searched for. The key makes a new element for a new text. That starts the tint, and
 * prevents a layout shift: Chromium reports one when the left edge of an element moves, as with a text aligned right.
 */
export function Digits({ text, maxDecimals }: DigitsProps) {
  const movement = useMovement(text)
  const [whole = '', decimals] = (text ?? '–').split('.')
  const [first, ...thousands] = whole.split(/\B(?=(?:\d{3})+$)/)
  const padding = '0'.repeat(Math.max(0, (maxDecimals ?? 0) - (decimals?.length ?? 0)))
  const pad = decimals === undefined ? `.${padding}` : padding
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
      <span class="fraction">{decimals && `.${decimals}`}</span>
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

interface ChangeProps {
  /** The price when the page was opened. */
  readonly first: string | undefined
  readonly price: string | null | undefined
  /** What follows the percentage. */
  readonly since?: string
}

/** The change of a price since the page was opened. Empty, but present, without one, so that a change moves nothing. */
export function Change({ first, price, since }: ChangeProps) {
  const text = formatChange(first, price)
  return (
    <span key={text} class="change" data-movement={text.startsWith('+') ? 'up' : 'down'}>
      {text === '' ? undefined : [text, since]}
    </span>
  )
}
