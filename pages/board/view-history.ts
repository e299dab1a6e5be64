import { formatView, parseView, type View } from './view.ts'

/** Whether the history is going back from the entry of a record that was closed. */
let isGoingBack = false

/**
 * Changes the history and the page's URL so that the back button closes a record, or undoes a change of the network.
 *
 * Opening a record adds an entry, which a step to another feed replaces. Closing the record goes back, or replaces the entry
 * if the page was opened with the record. Any other change, such as a letter of a search, replaces the entry.
 */
export function writeView(before: View, next: View): void {
  if (isGoingBack) return
  const url = location.pathname + formatView(next)
  const isOtherNetwork = next.network !== before.network || before.hasUnknownNetwork
  const isOpening = next.feed !== undefined && before.feed === undefined
  const isClosing = next.feed === undefined && before.feed !== undefined
  try {
    if (isOtherNetwork) history.pushState(null, '', url)
    else if (isOpening) history.pushState('opened from the list', '', url)
    else if (isClosing && history.state !== null) {
      isGoingBack = true
      history.back()
    } else history.replaceState(history.state, '', url)
  } catch {
    // Safari allows 100 calls in 30 seconds. The view changes all the same.
  }
}

/**
 * Returns the view of the entry that the history has reached.
 *
 * @param current the view that is shown. It stays after a record was closed, because another can have been opened meanwhile.
 */
export function readView(current: View): View {
  const reached = parseView(location.search)
  if (!isGoingBack) return reached
  isGoingBack = false
  writeView(reached, current)
  return current
}
