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

/** Prepares the page for chips: the meanings that they refer to, and the one tip that shows them. */
export function prepareChips(): void {
  const meanings = chipLabels.map(label => create('li', { id: `meaning-${toWord(label)}` }, meaningOf(label)))
  const tip = create('div', { class: 'tip', 'aria-hidden': 'true', popover: 'manual' })
  document.body.append(create('ul', { hidden: '' }, ...meanings), tip)
  let told: HTMLElement | undefined
  const show = ({ target }: Event): void => {
    if (!(target instanceof HTMLButtonElement) || !target.matches('.chip')) return
    told = target
    setText(tip, meaningOf(target.textContent ?? ''))
    // Shown anew each time: it has to lie above a dialog that was opened after it.
    tip.hidePopover()
    tip.showPopover()
    placeTip(tip, target)
  }
  const hide = (): void => {
    told = undefined
    tip.hidePopover()
  }
  // The focus itself scrolls to a chip that is out of sight.
  const follow = (): void => (told === undefined ? undefined : placeTip(tip, told))
  for (const event of ['pointerover', 'focusin', 'click']) document.addEventListener(event, show)
  for (const event of ['pointerout', 'focusout']) document.addEventListener(event, hide)
  addEventListener('scroll', follow, { capture: true, passive: true })
  document.addEventListener('keydown', ({ key }) => (key === 'Escape' ? hide() : undefined))
}

/** Places the tip below its chip, or above where there is no room. */
function placeTip(tip: HTMLElement, chip: HTMLElement): void {
  const { left, top, bottom } = chip.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = tip
  const below = bottom + 6
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`
  tip.style.top = `${below + offsetHeight > innerHeight ? top - offsetHeight - 6 : below}px`
}

function toWord(status: string): string {
  return status.toLowerCase().replaceAll(' ', '-')
}
