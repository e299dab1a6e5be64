import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { chipLabels, meaningOf, toSlug } from './statuses.ts'

interface StatusChipProps {
  readonly status: string
  /** Whether the last request has failed, so that the status is an earlier one. In a row there is no room for the words. */
  readonly isLastKnown: boolean
}

/** A chip that shows a status. A tip explains the status while the pointer is on chip or tip, or the focus on the chip. */
export function StatusChip({ status, isLastKnown }: StatusChipProps) {
  const area = useRef<HTMLSpanElement>(null)
  const [isExplained, setExplained] = useState(false)
  const show = () => setExplained(true)
  const hide = () => setExplained(false)
  return (
    <span
      ref={area}
      onPointerEnter={show}
      onFocusIn={show}
      onClick={show}
      onPointerLeave={() => area.current?.querySelector(':focus-visible') === null && hide()}
      onFocusOut={() => area.current?.matches(':hover') === false && hide()}
    >
      <button
        type="button"
        class="chip"
        data-status={toSlug(status)}
        data-last-known={isLastKnown ? '' : undefined}
        aria-describedby={`meaning-${toSlug(status)}`}
      >
        {isLastKnown && <span class="last-known">{'Last known: '}</span>}
        {status}
      </button>
      {isExplained && <Tip text={meaningOf(status, isLastKnown)} onDismiss={hide} />}
    </span>
  )
}

/** The meanings that the chips refer to by `aria-describedby`. */
export function MeaningList() {
  return (
    <ul hidden>
      {chipLabels.map(label => (
        <li key={label} id={`meaning-${toSlug(label)}`}>
          {meaningOf(label)}
        </li>
      ))}
    </ul>
  )
}

/** A tip for the chip before it: inside an open dialog, where the pointer can reach it, and in the top layer. */
function Tip({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  const tip = useRef<HTMLSpanElement>(null)
  // After every drawing: the chip can have moved, and a row that moves hides the tip.
  useLayoutEffect(() => {
    tip.current?.showPopover()
    place(tip.current)
  })
  useLayoutEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const dismissOutside = ({ type, target }: Event) => {
      if (!(target instanceof Element) || tip.current?.parentElement?.contains(target)) return
      if (type === 'pointerdown' || target.matches('.chip')) onDismiss()
    }
    for (const type of ['pointerdown', 'pointerover', 'focusin']) {
      document.addEventListener(type, dismissOutside, { signal })
    }
    const follow = () => place(tip.current)
    addEventListener('scroll', follow, { capture: true, passive: true, signal })
    addEventListener('resize', follow, { signal })
    // Escape closes only the tip: an open dialog stays open, and a search field keeps its text.
    const dismissByEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onDismiss()
    }
    document.addEventListener('keydown', dismissByEscape, { signal })
    return () => listening.abort()
  }, [])
  return (
    <span ref={tip} class="tip" popover="manual" aria-hidden="true">
      {text}
    </span>
  )
}

/** Places the tip below its chip, or above if there is no room. There is no gap between them for the pointer. */
function place(tip: HTMLElement | null): void {
  const chip = tip?.previousElementSibling
  if (!tip || !chip) return
  const { left, top, bottom } = chip.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = tip
  const below = Math.floor(bottom)
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`
  tip.style.top = `${below + offsetHeight > innerHeight ? Math.ceil(top) - offsetHeight : below}px`
}
