import { render } from 'preact'
import { defaultNetwork, ofEachNetwork, toQuery } from '../lambda/networks.ts'
import { type Latest, toLatest } from './api-result.ts'
import { Board } from './board.tsx'
import type { FeedNames } from './feed-names.ts'
import { toOpenFeed } from './open-feed.ts'
import { startPoll } from './poll.ts'
import { isList, isRecord, isUnreadable, type ShownEntry, type ShownList, type ShownRecord } from './price-answer.ts'
import { requestApi } from './price-api.ts'
import { arrange, formatView, parseView, toLabel, type View } from './view.ts'

/** The registry's symbols and names, which the build inserts (infra/page.ts). */
declare const feedNames: FeedNames

let view = parseView(location.search)
let list: Latest<ShownList> = {}
/** The record of the open feed. */
let record: Latest<ShownRecord> = {}
/** The rows: arranged when the list or the view changes, not with every drawing. */
let shown: readonly ShownEntry[] = []
/** The first price of each feed since the page was opened, by symbol. */
const firstPrices = ofEachNetwork(() => new Map<string, string>())
/** Whether the history goes back from the entry of a record that was closed. */
let isGoingBack = false
/** The symbol of the feed whose dialog is drawn. */
let drawnFeed: string | undefined

const findOpenFeed = () => toOpenFeed(view, list.loaded, record, feedNames)

const listPoll = startPoll(async signal => {
  if (view.hasUnknownNetwork) return undefined
  const result = await requestApi(`price${toQuery(view.network)}`, isList, signal)
  if (signal.aborted) return undefined
  const wasUnknown = findOpenFeed()?.isUnknown
  list = toLatest(list, result)
  if ('value' in result) result.value.feeds.forEach(noteFirstPrice)
  update()
  if (findOpenFeed()?.isUnknown !== wasUnknown) recordPoll.restart()
  return result.waitMs
})

const recordPoll = startPoll(async signal => {
  const feed = findOpenFeed()
  if (feed === undefined || feed.isUnknown) return undefined
  const result = await requestApi(feed.path, isRecord, signal)
  if (signal.aborted) return undefined
  record = toLatest(record, result)
  if ('value' in result) noteFirstPrice(result.value)
  draw()
  return record.failed?.isPermanent ? undefined : result.waitMs
})

addEventListener('popstate', onPopState)
addEventListener('keydown', onKey)
setInterval(draw, 1_000)
update()
listPoll.restart()
recordPoll.restart()

function noteFirstPrice(entry: ShownEntry): void {
  const prices = firstPrices[view.network]
  if (!isUnreadable(entry) && entry.price !== null && !prices.has(entry.symbol)) prices.set(entry.symbol, entry.price)
}

/** Changes the view and the page's URL, and draws the page. */
function change(changed: Partial<View>): void {
  const next = { ...view, ...changed }
  try {
    if (!isGoingBack) changeHistory(view, next)
  } catch {
    // Safari allows 100 calls in 30 seconds. The view changes all the same.
  }
  go(next)
}

/**
 * Changes the history so that the back button closes a record, or undoes a change of the network.
 *
 * To open a record is an entry, which a step to another feed replaces. To close it goes back, unless the record was opened by its
 * URL. A letter of a search is no entry.
 */
function changeHistory(before: View, next: View): void {
  const url = location.pathname + formatView(next)
  const isOtherNetwork = next.network !== before.network || before.hasUnknownNetwork
  const isOpening = next.feed !== undefined && before.feed === undefined
  const isClosing = next.feed === undefined && before.feed !== undefined
  if (isOtherNetwork) history.pushState(null, '', url)
  else if (isOpening) history.pushState('opened from the list', '', url)
  else if (isClosing && history.state !== null) {
    isGoingBack = true
    history.back()
  } else history.replaceState(history.state, '', url)
}

function onPopState(): void {
  const reached = parseView(location.search)
  // The user can have opened a record again since it was closed.
  if (isGoingBack) {
    isGoingBack = false
    changeHistory(reached, view)
  } else go(reached)
}

function go(next: View): void {
  const isOtherNetwork = next.network !== view.network || next.hasUnknownNetwork !== view.hasUnknownNetwork
  const isOtherFeed = isOtherNetwork || next.feed !== view.feed
  view = next
  if (isOtherNetwork) list = {}
  if (isOtherFeed) record = {}
  update()
  if (isOtherNetwork) listPoll.restart()
  if (isOtherFeed) recordPoll.restart()
}

/** Uses the control that names a key as its shortcut: of the dialog while one is open. */
function onKey(event: KeyboardEvent): void {
  const { key, target, shiftKey, ctrlKey, metaKey, altKey } = event
  const isTyping = target instanceof Element && target.matches('[type=search], select')
  // Some keyboards have the slash on a key with Shift. With an arrow key, Shift selects text.
  const isCombined = ctrlKey || metaKey || altKey || (shiftKey && key !== '/')
  if (isTyping || isCombined || event.defaultPrevented) return
  const within = view.feed === undefined ? 'main' : 'dialog'
  const control = document.querySelector(`${within} [aria-keyshortcuts="${CSS.escape(key)}"]`)
  if (!(control instanceof HTMLElement)) return
  event.preventDefault()
  if (control instanceof HTMLButtonElement) control.click()
  else control.focus()
}

/** Requests the list again at once. */
function retryList(): void {
  list = { ...list, isRetrying: true }
  draw()
  listPoll.restart()
}

/** Requests the record again at once. */
function retryRecord(): void {
  record = { ...record, isRetrying: true }
  draw()
  recordPoll.restart()
}

function update(): void {
  shown = arrange(list.loaded?.value.feeds ?? [], view, feedNames)
  draw()
}

/** Draws the page. Preact changes only what differs. */
function draw(): void {
  const feed = findOpenFeed()
  const before = document.activeElement
  const closedFeed = view.feed === undefined ? drawnFeed : undefined
  drawnFeed = view.feed
  const title = `Price Lookup${view.network === defaultNetwork ? '' : ` · ${toLabel(view.network)}`}`
  document.title = feed === undefined ? title : `${feed.heading} · ${title}`
  const nowMs = Date.now()
  const state = { view, list, shown, feed, record, feedNames, firstPrices: firstPrices[view.network], nowMs }
  render(<Board {...{ ...state, change, retryList, retryRecord }} />, document.body)
  const target = findFocusTarget(before, closedFeed)
  if (target instanceof HTMLElement) target.focus()
}

/**
 * Finds the element that the page has to focus after it was drawn.
 *
 * @param before the element that had the focus before
 * @param closedFeed the symbol of the feed whose dialog was closed by the drawing
 */
function findFocusTarget(before: Element | null, closedFeed: string | undefined): Element | null {
  if (closedFeed !== undefined) {
    // A dialog returns the focus to the element that had it before, which is not the link of a feed that was opened by a click
    // on its row, by a step or by its URL.
    const link = document.querySelector(`a[data-feed="${CSS.escape(closedFeed)}" i]`)
    if (link !== null) return link
  }
  if (document.activeElement !== document.body) return null
  // Without moveBefore (Safari) a row that moves loses the focus.
  return closedFeed === undefined ? before : document.querySelector('#search')
}
