import { options, render } from 'preact'
import { Board } from './board.tsx'
import { type Latest, toLatest } from './data/latest.ts'
import { startPoll } from './data/poll.ts'
import { requestApi } from './data/requests.ts'
import { isListOf, isRecordOf, type ShownList, type ShownRecord } from './data/responses.ts'
import { RecordDialog } from './record/dialog.tsx'
import { goBackToList, parseView, type View, writeView } from './view.ts'

let view = parseView(location.search)
let list: Latest<ShownList> = {}
let record: Latest<ShownRecord> = {}
/** Where the board is drawn. */
let root: HTMLElement | undefined

const pollList = startPoll(async isCurrent => {
  const { network } = view
  if (network === undefined) return undefined
  const result = await requestApi('price', network, response => isListOf(network, response))
  if (!isCurrent()) return undefined
  list = toLatest(list, result)
  draw()
  return result.waitMs
})

const pollRecord = startPoll(async isCurrent => {
  const { network, feed } = view
  if (network === undefined || feed === undefined) return undefined
  const path = `price/${encodeURIComponent(feed)}`
  const result = await requestApi(path, network, response => isRecordOf(network, feed, response))
  if (!isCurrent()) return undefined
  record = toLatest(record, result)
  draw()
  return record.failed?.isPermanent ? undefined : result.waitMs
})

// Each text that changes is a new element. A translator or an extension may have replaced the old element's content.
options.vnode = vnode => {
  const { children } = vnode.props
  if (typeof vnode.type === 'string' && typeof children === 'string') vnode.key ??= children
}

// A saved copy holds a board that is drawn already. It keeps its prices, beside the time of their reading.
if (document.querySelector('main') === null) start()

function start(): void {
  addEventListener('popstate', () => show(parseView(location.search)))
  setInterval(draw, 1_000)
  draw()
  pollList()
  pollRecord()
}

/** Changes the view and the page's URL, and draws the page. */
function change(changed: Partial<View>): void {
  const before = view
  const next = { ...before, ...changed }
  if (before.feed !== undefined && next.feed === undefined && goBackToList()) return
  show(next)
  writeView(before, next)
}

function show(next: View): void {
  const isOtherNetwork = next.network !== view.network
  const isOtherFeed = isOtherNetwork || next.feed !== view.feed
  view = next
  if (isOtherNetwork) list = {}
  if (isOtherFeed) record = {}
  draw()
  if (isOtherNetwork) pollList()
  if (isOtherFeed) pollRecord()
}

/** Draws the page. After an error, the next drawing begins with an empty page. */
function draw(): void {
  const focused = document.activeElement
  try {
    root ??= createRoot()
    render(<Board {...{ view, list, change }} dialog={createDialog()} />, root)
  } catch (error) {
    reportError(error)
    root?.remove()
    root = undefined
  }
  const heading = document.querySelector('dialog h2')?.textContent
  document.title = heading === undefined ? 'Price Lookup' : `${heading} · Price Lookup`
  // Browsers without moveBefore (Safari) take the focus from a row that moves.
  if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
}

/** Creates the element before the script, which can then find the board of a saved copy. */
function createRoot(): HTMLElement {
  const element = document.createElement('div')
  document.body.prepend(element)
  return element
}

function createDialog() {
  const { network, feed } = view
  if (network === undefined || feed === undefined) return undefined
  const onClose = () => change({ feed: undefined })
  return <RecordDialog key={`${network} ${feed}`} {...{ network, feed, list, record, onClose }} />
}
