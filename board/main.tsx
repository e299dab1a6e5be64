import { render } from 'preact'
import { defaultNetwork, type Network, networks, toQuery } from '../lambda/networks.ts'
import { type Latest, toLatest } from './api-result.ts'
import { Board } from './board.tsx'
import { toOpenFeed } from './open-feed.ts'
import { startPoll } from './poll.ts'
import { isList, isRecord, type ShownEntry, type ShownList, type ShownRecord } from './price-answer.ts'
import { requestApi } from './price-api.ts'
import { arrange, formatView, parseView, toLabel, type View } from './view.ts'

let view = parseView(location.search)
let list: Latest<ShownList> = {}
/** The record of the open feed. */
let record: Latest<ShownRecord> = {}
/** The rows: arranged when the list or the view changes, not with every drawing. */
let shown: readonly ShownEntry[] = []
/** The feeds of each network whose list was requested. */
const feedsByNetwork = new Map<Network, readonly ShownEntry[]>()
/** The symbol of the feed whose dialog is drawn. */
let drawnFeed: string | undefined

const findOpenFeed = () => toOpenFeed(view, list.loaded, record, feedsByNetwork)

const listPoll = startPoll(async signal => {
  const result = await requestApi(`price${toQuery(view.network)}`, isList, signal)
  if (signal.aborted) return undefined
  const wasUnknown = findOpenFeed()?.isUnknown
  list = toLatest(list, result)
  if (list.loaded !== undefined) feedsByNetwork.set(view.network, list.loaded.value.feeds)
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
  draw()
  return record.failed?.isPermanent ? undefined : result.waitMs
})

addEventListener('popstate', () => go(parseView(location.search)))
addEventListener('keydown', onKey)
setInterval(draw, 1_000)
update()
listPoll.restart()
recordPoll.restart()
void loadOtherFeeds()

/**
 * Changes the view and the page's URL. The back button undoes the opening of a feed and a change of the network. It undoes
 * neither a letter of a search nor a step to the next feed: from the last of many steps it returns to the list.
 */
function change(changed: Partial<View>): void {
  const next = { ...view, ...changed }
  const isToggled = (next.feed === undefined) !== (view.feed === undefined)
  const isStep = next.network !== view.network || isToggled
  try {
    history[isStep ? 'pushState' : 'replaceState'](null, '', location.pathname + formatView(next))
  } catch {
    // Safari allows 100 calls in 30 seconds. The view changes all the same.
  }
  go(next)
}

function go(next: View): void {
  const isOtherNetwork = next.network !== view.network
  const isOtherFeed = isOtherNetwork || next.feed !== view.feed
  view = next
  if (isOtherNetwork) list = {}
  if (isOtherFeed) record = {}
  update()
  if (isOtherNetwork) listPoll.restart()
  if (isOtherFeed) recordPoll.restart()
  if (isOtherFeed) void loadOtherFeeds()
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

/** Requests the list of each other network when a feed is opened, once unless it fails, to link to the same symbol there. */
async function loadOtherFeeds(): Promise<void> {
  if (view.feed === undefined) return
  for (const network of networks) {
    if (network === view.network || feedsByNetwork.has(network)) continue
    const none: readonly ShownEntry[] = []
    feedsByNetwork.set(network, none)
    const result = await requestApi(`price${toQuery(network)}`, isList, new AbortController().signal)
    if ('value' in result) feedsByNetwork.set(network, result.value.feeds)
    // Unless the network was opened meanwhile.
    else setTimeout(() => feedsByNetwork.get(network) === none && feedsByNetwork.delete(network), result.waitMs)
    draw()
  }
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
  shown = arrange(list.loaded?.value.feeds ?? [], view)
  draw()
}

/** Draws the page. Preact changes only what differs. */
function draw(): void {
  const feed = findOpenFeed()
  const focused = document.activeElement
  const closedFeed = view.feed === undefined ? drawnFeed : undefined
  drawnFeed = view.feed
  const title = `Price Lookup${view.network === defaultNetwork ? '' : ` · ${toLabel(view.network)}`}`
  document.title = feed === undefined ? title : `${feed.heading} · ${title}`
  const nowMs = Date.now()
  render(<Board {...{ view, list, shown, feed, record, nowMs, change, retryList, retryRecord }} />, document.body)
  // A dialog returns the focus to the element that had it before, which is not the link of a feed that was opened by a click on
  // its row, by a step or by its URL. Without moveBefore (Safari) a row that moves loses the focus.
  const link = document.querySelector(`a[data-feed="${CSS.escape(closedFeed ?? '')}" i]`)
  const isLost = document.activeElement === document.body
  const target = link ?? (isLost ? (closedFeed === undefined ? focused : document.querySelector('#search')) : null)
  if (target instanceof HTMLElement) target.focus()
}
