import { render } from 'preact'
import { defaultNetwork, type Network, toQuery } from '../../api/networks.ts'
import { Board } from './board.tsx'
import type { FirstPrices } from './digits.tsx'
import type { FeedNames } from './feed-names.ts'
import { findFocusTarget, pressShortcut } from './focus.ts'
import { type Latest, type Loaded, toLatest } from './latest.ts'
import { findOpenFeed } from './open-feed.ts'
import { startPoll } from './poll.ts'
import { requestApi } from './price-api.ts'
import { isUnreadable, type ShownEntry, type ShownList, type ShownRecord } from './price-response.ts'
import { formatSince } from './shown-number.ts'
import { arrange, parseView, toLabel, type View } from './view.ts'
import { readView, writeView } from './view-history.ts'

/** The registry's symbols and names, which the build inserts (pages/build.ts). */
declare const feedNames: FeedNames

let view = parseView(location.search)
let list: Latest<ShownList> = {}
/** The record of the open feed. */
let record: Latest<ShownRecord> = {}
/** The rows: arranged when the list or the view changes, not with every drawing. */
let shown: readonly ShownEntry[] = []
const firstPrices = new Map<Network, FirstPrices>()
/** The symbol of the feed whose dialog is drawn. */
let drawnFeed: string | undefined

const openFeed = () => findOpenFeed(view, list.loaded, record, feedNames)

const listPoll = startPoll(async signal => {
  if (view.hasUnknownNetwork) return undefined
  const outcome = await requestApi<ShownList>(`price${toQuery(view.network)}`, signal)
  if (signal.aborted) return undefined
  const wasUnknown = openFeed()?.isUnknown
  list = toLatest(list, outcome)
  if ('value' in outcome) keepFirstPrices(outcome)
  update()
  if (openFeed()?.isUnknown !== wasUnknown) recordPoll.restart()
  return outcome.waitMs
})

const recordPoll = startPoll(async signal => {
  const feed = openFeed()
  if (feed === undefined || feed.isUnknown) return undefined
  const outcome = await requestApi<ShownRecord>(feed.path, signal)
  if (signal.aborted) return undefined
  record = toLatest(record, outcome)
  draw()
  return record.failed?.isPermanent ? undefined : outcome.waitMs
})

addEventListener('popstate', () => go(readView(view)))
addEventListener('keydown', pressShortcut)
setInterval(draw, 1_000)
update()
listPoll.restart()
recordPoll.restart()

/** Keeps the prices of the first list of a network. A feed without a price in it has no change. */
function keepFirstPrices({ value, readAtMs }: Loaded<ShownList>): void {
  if (firstPrices.has(view.network)) return
  const prices = new Map<string, string>()
  for (const entry of value.feeds) {
    if (!isUnreadable(entry) && entry.price !== null) prices.set(entry.symbol, entry.price)
  }
  firstPrices.set(view.network, { since: formatSince(readAtMs), prices })
}

/** Changes the view and the page's URL, and draws the page. */
function change(changed: Partial<View>): void {
  const next = { ...view, ...changed }
  writeView(view, next)
  go(next)
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
  const feed = openFeed()
  const before = document.activeElement
  const closedFeed = view.feed === undefined ? drawnFeed : undefined
  drawnFeed = view.feed
  const title = `Price Lookup${view.network === defaultNetwork ? '' : ` · ${toLabel(view.network)}`}`
  document.title = feed === undefined ? title : `${feed.heading} · ${title}`
  const nowMs = Date.now()
  const first = firstPrices.get(view.network)
  const state = { view, list, shown, feed, record, feedNames, first, nowMs }
  render(<Board {...{ ...state, change, retryList, retryRecord }} />, document.body)
  const target = findFocusTarget(before, closedFeed)
  if (target instanceof HTMLElement) target.focus()
}
