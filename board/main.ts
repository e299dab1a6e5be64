import { isList, isRecord } from './answer-shapes.ts'
import type { Answered, Failed } from './api-answer.ts'
import { arrange } from './arrange.ts'
import { prepareChips } from './chip.ts'
import { createControls } from './controls.ts'
import { byId, setText } from './dom.ts'
import type { ShownList } from './exact-json.ts'
import { createFreshness } from './freshness.ts'
import { toOpenFeed, toQuery } from './open-feed.ts'
import { startPoll } from './poll.ts'
import { apiUrl, askApi } from './price-api.ts'
import { createRecordDialog } from './record-dialog.ts'
import { createRows } from './rows.ts'
import { formatViewState, parseViewState, type ViewState } from './view-state.ts'

let view = parseViewState(location.search)
let list: Answered<ShownList> | undefined
let failed: Failed | undefined

const followChip = prepareChips()
const rows = createRows()
const freshness = createFreshness()
const dialog = createRecordDialog(() => change({ feed: undefined }))
const controls = createControls(change)

const listPoll = startPoll(async turn => {
  const answer = await askApi(`price${toQuery(view.network)}`, isList, turn)
  // Meanwhile someone may have gone to the other network, whose answer is under way.
  if (turn.aborted) return undefined
  const wasUnknown = toOpenFeed(view, list)?.isUnknown
  failed = 'value' in answer ? undefined : answer
  if ('value' in answer) list = answer
  render()
  if (toOpenFeed(view, list)?.isUnknown !== wasUnknown) recordPoll.now()
  return answer.waitMs
})

const recordPoll = startPoll(async turn => {
  const feed = toOpenFeed(view, list)
  if (feed === undefined || feed.isUnknown) return undefined
  const answer = await askApi(feed.path, isRecord, turn)
  if (turn.aborted) return undefined
  dialog.answer(answer)
  entitle()
  tick()
  return 'isLasting' in answer && answer.isLasting ? undefined : answer.waitMs
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
render()
listPoll.now()
recordPoll.now()

/** Changes what is shown, and the page's URL with it: going back undoes a step from feed to feed, not a letter of a search. */
function change(changed: Partial<ViewState>): void {
  const next = { ...view, ...changed }
  const isStep = next.network !== view.network || next.feed !== view.feed
  try {
    history[isStep ? 'pushState' : 'replaceState'](null, '', location.pathname + formatViewState(next))
  } catch {
    // Safari allows a hundred of them in half a minute; what is shown changes all the same.
  }
  go(next)
}

function go(next: ViewState): void {
  const before = view
  const isElsewhere = before.network !== next.network
  view = next
  if (isElsewhere) {
    list = undefined
    failed = undefined
  }
  render()
  if (isElsewhere) listPoll.now()
  if (isElsewhere || before.feed !== next.feed) recordPoll.now()
}

function render(): void {
  const feeds = list?.value.feeds ?? []
  const shown = arrange(feeds, view)
  rows.show(shown, feed => formatViewState({ ...view, feed }))
  controls.show(view)
  freshness.show(list, failed)
  dialog.open(toOpenFeed(view, list))
  setText(byId('count', HTMLElement), list === undefined ? '' : `${shown.length} of ${feeds.length} feeds`)
  setText(byId('empty', HTMLElement), toEmptyWords(shown.length))
  byId('table', HTMLTableElement).ariaBusy = String(list === undefined && failed === undefined)
  entitle()
  tick()
}

function entitle(): void {
  const heading = dialog.heading()
  const feed = heading === undefined ? '' : `${heading} · `
  document.title = `${feed}Price Lookup${view.network === 'testnet' ? ' · Testnet' : ''}`
}

function toEmptyWords(shown: number): string {
  if (shown > 0) return ''
  if (list !== undefined) return 'No feed is like that.'
  return failed === undefined ? 'Reading the chain…' : 'There is nothing to show yet.'
}

function tick(): void {
  const nowMs = Date.now()
  freshness.tick(nowMs)
  if (list !== undefined) rows.tick((nowMs - list.readAtMs) / 1_000)
  dialog.tick(nowMs)
  followChip()
}
