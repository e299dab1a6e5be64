import { arrange } from './arrange.ts'
import { prepareChips } from './chip.ts'
import { createControls } from './controls.ts'
import { byId, setText } from './dom.ts'
import type { ShownList, ShownRecord } from './exact-json.ts'
import { createFreshness } from './freshness.ts'
import { startPoll } from './poll.ts'
import { type Answered, apiUrl, askApi, type Failed } from './price-api.ts'
import { createRecordDialog, type OpenFeed } from './record-dialog.ts'
import { createRows } from './rows.ts'
import { formatViewState, parseViewState, type ViewState } from './view-state.ts'

let view = parseViewState(location.search)
let list: Answered<ShownList> | undefined
let failed: Failed | undefined

prepareChips()
const rows = createRows()
const freshness = createFreshness()
const dialog = createRecordDialog(() => change({ feed: undefined }))
const controls = createControls(change)

const listPoll = startPoll(async () => {
  const { network } = view
  const answer = await askApi(`price${toQuery(network)}`, isList)
  // Meanwhile someone may have gone to the other network, whose answer is under way.
  if (network !== view.network) return undefined
  failed = 'value' in answer ? undefined : answer
  if ('value' in answer) list = answer
  render()
  return answer.waitMs
})

const recordPoll = startPoll(async () => {
  const feed = toOpenFeed()
  if (feed === undefined) return undefined
  const answer = await askApi(feed.url.slice(apiUrl.length), isRecord)
  if (toOpenFeed()?.url !== feed.url) return undefined
  dialog.answer(answer)
  tick()
  return answer.waitMs
})

addEventListener('popstate', () => go(parseViewState(location.search)))
document.addEventListener('click', event => {
  const { target, metaKey, ctrlKey, shiftKey } = event
  const feed = target instanceof HTMLElement ? target.dataset['feed'] : undefined
  // With a key held, a link is to be opened elsewhere.
  if (feed === undefined || metaKey || ctrlKey || shiftKey) return
  event.preventDefault()
  change({ feed })
})
byId('list-link', HTMLAnchorElement).href = `${apiUrl}price`
byId('openapi-link', HTMLAnchorElement).href = `${apiUrl}openapi.json`
setInterval(tick, 1_000)
go(view)

/** Changes what is shown, and the page's URL with it: going back undoes a step from feed to feed, not a letter of a search. */
function change(changed: Partial<ViewState>): void {
  const next = { ...view, ...changed }
  const isStep = next.network !== view.network || next.feed !== view.feed
  history[isStep ? 'pushState' : 'replaceState'](null, '', location.pathname + formatViewState(next))
  go(next)
}

function go(next: ViewState): void {
  const [before, isFirst] = [view, list === undefined && failed === undefined]
  view = next
  if (before.network !== next.network) {
    list = undefined
    failed = undefined
  }
  render()
  if (isFirst || before.network !== next.network) listPoll.now()
  if (next.feed !== undefined && (isFirst || before.feed !== next.feed || before.network !== next.network)) {
    recordPoll.now()
  }
}

function render(): void {
  const feeds = list?.value.feeds ?? []
  const shown = arrange(feeds, view)
  rows.show(shown, feed => formatViewState({ ...view, feed }))
  controls.show(view)
  freshness.show(list, failed)
  dialog.open(toOpenFeed())
  setText(byId('count', HTMLElement), list === undefined ? '' : `${shown.length} of ${feeds.length} feeds`)
  setText(byId('empty', HTMLElement), toEmptyWords(shown.length))
  byId('table', HTMLTableElement).ariaBusy = String(list === undefined && failed === undefined)
  document.title = `${view.feed === undefined ? '' : `${view.feed} · `}Price Lookup${view.network === 'testnet' ? ' · Testnet' : ''}`
  tick()
}

function toEmptyWords(shown: number): string {
  if (shown > 0) return ''
  if (list !== undefined) return 'No feed is like that.'
  return failed === undefined ? 'Reading the chain…' : 'There is nothing to show yet.'
}

function tick(): void {
  const nowMs = Date.now()
  freshness.tick(nowMs)
  rows.tick(nowMs / 1_000)
  dialog.tick(nowMs)
}

function toOpenFeed(): OpenFeed | undefined {
  const { feed: symbol, network } = view
  if (symbol === undefined) return undefined
  const entry = list?.value.feeds.find(feed => feed.symbol === symbol)
  return { symbol, network, entry, url: `${apiUrl}price/${encodeURIComponent(symbol)}${toQuery(network)}` }
}

function toQuery(network: ViewState['network']): string {
  return network === 'mainnet' ? '' : `?network=${network}`
}

function isList(parsed: object): parsed is ShownList {
  return 'feeds' in parsed && Array.isArray(parsed.feeds) && 'readAt' in parsed
}

function isRecord(parsed: object): parsed is ShownRecord {
  return 'symbol' in parsed && 'status' in parsed && 'readAt' in parsed
}
