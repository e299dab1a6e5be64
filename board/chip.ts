import { create, setAttribute, setText } from './dom.ts'
import { chipLabels, meaningOf } from './statuses.ts'

/** Creates a chip that shows a status; what it means is told on hover, on focus, and to a screen reader. */
export function createChip(): HTMLButtonElement {
  return create('button', { type: 'button', class: 'chip' })
}

/** Changes what a chip shows. */
export function setChip(chip: HTMLButtonElement, status: string): void {
  setText(chip, status)
  setAttribute(chip, 'data-status', toWord(status))
  setAttribute(chip, 'aria-describedby', `meaning-${toWord(status)}`)
}

/**
 * Prepares the page for chips: the meanings that they refer to, and the one tip that shows them.
 *
 * Returns what brings the tip to its chip again, after the chip has changed or has gone elsewhere.
 */
export function prepareChips(): () => void {
  const meanings = chipLabels.map(label => create('li', { id: `meaning-${toWord(label)}` }, meaningOf(label)))
  const tip = create('div', { class: 'tip', 'aria-hidden': 'true', popover: 'manual' })
  document.body.append(create('ul', { hidden: '' }, ...meanings), tip)
  let told: HTMLElement | undefined
  const show = (chip: HTMLElement): void => {
    told = chip
    // Shown anew each time: it has to lie above a dialog that was opened after it, and in it, where alone a pointer meets it.
    tip.hidePopover()
    const place = chip.closest('dialog') ?? document.body
    if (tip.parentElement !== place) place.append(tip)
    tip.showPopover()
    follow()
  }
  const hide = (): void => {
    told = undefined
    tip.hidePopover()
  }
  const follow = (): void => {
    if (told === undefined) return
    if (!told.checkVisibility()) {
      hide()
      return
    }
    setText(tip, meaningOf(told.textContent ?? ''))
    placeTip(tip, told)
  }
  listen(tip, () => told, show, hide)
  // The focus itself scrolls to a chip that is out of sight.
  addEventListener('scroll', follow, { capture: true, passive: true })
  addEventListener('resize', follow)
  return follow
}

/** Tells a chip's meaning while the pointer is on the chip or on the tip, or the focus on the chip, and until Escape. */
function listen(
  tip: HTMLElement,
  findTold: () => HTMLElement | undefined,
  show: (chip: HTMLElement) => void,
  hide: () => void,
): void {
  const isOn = (target: EventTarget | null) =>
    target instanceof Node && (tip.contains(target) || findTold()?.contains(target) === true)
  const tell = ({ target }: Event): void => {
    if (target instanceof HTMLButtonElement && target.matches('.chip')) show(target)
  }
  const leave = ({ target, relatedTarget }: PointerEvent): void => {
    if (isOn(target) && !isOn(relatedTarget) && !findTold()?.matches(':focus-visible')) hide()
  }
  for (const event of ['pointerover', 'focusin', 'click']) document.addEventListener(event, tell)
  document.addEventListener('pointerout', leave)
  document.addEventListener('pointerdown', ({ target }) => (isOn(target) ? undefined : hide()))
  document.addEventListener('focusout', ({ target }) => {
    if (isOn(target) && !findTold()?.matches(':hover') && !tip.matches(':hover')) hide()
  })
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || findTold() === undefined) return
    // One Escape is one step back: a dialog below the tip stays.
    event.preventDefault()
    hide()
  })
}

/** Places the tip below its chip, or above where there is no room, with no gap that a pointer could fall into. */
function placeTip(tip: HTMLElement, chip: HTMLElement): void {
  const { left, top, bottom } = chip.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = tip
  const below = Math.floor(bottom)
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`
  tip.style.top = `${below + offsetHeight > innerHeight ? Math.ceil(top) - offsetHeight : below}px`
}

function toWord(status: string): string {
  return status.toLowerCase().replaceAll(' ', '-')
}
