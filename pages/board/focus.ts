/**
 * Finds the element that the page has to focus after it was drawn.
 *
 * @param before the element that had the focus before
 * @param closedFeed the symbol of the feed whose dialog was closed by the drawing
 */
export function findFocusTarget(before: Element | null, closedFeed: string | undefined): Element | null {
  if (closedFeed !== undefined) {
    // A closed dialog returns the focus to the element that had it before. That is not the link of the feed if the feed was
    // opened by a click on its row, by a step or by the URL of the page.
    const link = document.querySelector(`a[data-feed="${CSS.escape(closedFeed)}" i]`)
    if (link !== null) return link
  }
  if (document.activeElement !== document.body) return null
  // Without moveBefore (Safari) a row that moves loses the focus.
  return closedFeed === undefined ? before : document.querySelector('#search')
}

/** Presses the control whose shortcut is the key: in the dialog while one is open. */
export function pressShortcut(event: KeyboardEvent): void {
  const { key, target, shiftKey, ctrlKey, metaKey, altKey } = event
  const isTyping = target instanceof Element && target.matches('[type=search], select')
  // Some keyboards have the slash on a key with Shift. With an arrow key, Shift selects text.
  const isCombined = ctrlKey || metaKey || altKey || (shiftKey && key !== '/')
  if (isTyping || isCombined || event.defaultPrevented) return
  const within = document.querySelector('dialog') ?? document.querySelector('main')
  const control = within?.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`)
  if (!(control instanceof HTMLElement)) return
  event.preventDefault()
  if (control instanceof HTMLButtonElement) control.click()
  else control.focus()
}
