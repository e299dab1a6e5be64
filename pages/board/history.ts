import { formatView, type View } from './view.ts'

/**
 * Changes the page's URL to that of a view, so that the back button closes a record, or undoes a change of the network.
 * Any other change, such as a letter of a search, replaces the entry of the history.
 */
export function writeView(before: View, next: View): void {
  const url = location.pathname + formatView(next)
  const isOpening = next.feed !== undefined && before.feed === undefined
  if (isOpening) history.pushState('opened from the list', '', url)
  else if (next.network !== before.network) history.pushState(null, '', url)
  else history.replaceState(history.state, '', url)
}

/** Returns to the list that a record was opened from, as the back button does. Returns whether there is one. */
export function goBackToList(): boolean {
  if (history.state === null) return false
  // Going back takes a moment. A second call meanwhile must not leave the page.
  history.replaceState(null, '')
  history.back()
  return true
}
