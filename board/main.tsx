import { render } from 'preact'
import { defaultNetwork, toQuery } from '../lambda/networks.ts'
import { type Latest, toLatest } from './api-result.ts'
import { Board, toLabel } from './board.tsx'
import { toOpenFeed } from './open-feed.ts'
import { startPoll } from './poll.ts'
import { isList, isRecord, type ShownEntry, type ShownList, type ShownRecord } from './price-answer.ts'
import { requestApi } from './price-api.ts'
import { arrange, formatView, parseView, type View } from './view.ts'

let view = parseView(location.search)
let list: Latest<ShownList> = {}
/** The record of the open feed. */
let record: Latest<ShownRecord> = {}
/** The rows: arranged when the list or the view changes, not with every drawing. */
let shown: readonly ShownEntry[] = []
/** The symbol of the feed whose dialog is drawn. */
let drawnFeed: string | undefined

const findOpenFeed = () => toOpenFeed(view, list.loaded, record)

const listPoll = startPoll(async signal => {
  const result = await requestApi(`price${toQuery(view.network)}`, isList, signal)
  if (signal.aborted) return undefined
  const wasUnknown = findOpenFeed()?.isUnknown
  list = toLatest(list, result)
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
setInterval(draw, 1_000)
update()
listPoll.restart()
recordPoll.restart()

/** Changes the view and the page's URL. The back button undoes a change of feed or network, not a letter of a search. */
function change(changed: Partial<View>): void {
  const next = { ...view, ...changed }
  const isStep = next.network !== view.network || next.feed !== view.feed
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
  document.documentElement.toggleAttribute('data-failed', list.failed !== undefined)
  render(
    <Board view={view} list={list} shown={shown} feed={feed} record={record} nowMs={Date.now()} change={change} />,
    document.body,
  )
  // Without moveBefore (Safari) a row that moves loses the focus. A dialog that was opened by its URL has no element to return it to.
  if (document.activeElement !== document.body) return
  const link = document.querySelector(`a[data-feed="${CSS.escape(closedFeed ?? '')}" i]`)
  const target = closedFeed === undefined ? focused : (link ?? document.querySelector('#search'))
  if (target instanceof HTMLElement) target.focus()
}
