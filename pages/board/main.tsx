import { render, type VNode } from 'preact'
import { defaultNetwork, toQuery } from '../../api/networks.ts'
import { Board } from './board.tsx'
import { type Latest, toLatest } from './data/latest.ts'
import { startPoll } from './data/poll.ts'
import { requestApi } from './data/requests.ts'
import { type ExactList, type ExactRecord, parseList, parseRecord } from './data/responses.ts'
import { RecordDialog } from './record/dialog.tsx'
import { isSelected } from './record/modal.ts'
import { findOpenFeed } from './record/open-feed.ts'
import { parseView, readView, toLabel, type View, writeView } from './view.ts'

let view = parseView(location.search)
let list: Latest<ExactList> = {}
/** The record of the open feed. */
let record: Latest<ExactRecord> = {}
/** The dialog that is drawn. */
let dialog: VNode | undefined
let root = createRoot()

const listPoll = startPoll(async signal => {
  const { network, hasUnknownNetwork } = view
  if (hasUnknownNetwork) return undefined
  const outcome = await requestApi(`price${toQuery(network)}`, response => parseList(response, network), signal)
  if (signal.aborted) return undefined
  list = toLatest(list, outcome)
  draw()
  return outcome.waitMs
})

const recordPoll = startPoll(async signal => {
  const { network, hasUnknownNetwork, feed } = view
  if (feed === undefined || hasUnknownNetwork) return undefined
  const path = `price/${encodeURIComponent(feed)}${toQuery(network)}`
  const outcome = await requestApi(path, response => parseRecord(response, network, feed), signal)
  if (signal.aborted) return undefined
  record = toLatest(record, outcome)
  draw()
  return record.failed?.isPermanent ? undefined : outcome.waitMs
})

addEventListener('popstate', () => show(readView(view)))
addEventListener('keydown', focusSearch)
setInterval(draw, 1_000)
draw()
listPoll.restart()
recordPoll.restart()

/** Changes the view and the page's URL, and draws the page. */
function change(changed: Partial<View>): void {
  const next = { ...view, ...changed }
  writeView(view, next)
  show(next)
}

function show(next: View): void {
  const isOtherNetwork = next.network !== view.network || next.hasUnknownNetwork !== view.hasUnknownNetwork
  const isOtherFeed = isOtherNetwork || next.feed !== view.feed
  view = next
  if (isOtherNetwork) list = {}
  if (isOtherFeed) record = {}
  draw()
  if (isOtherNetwork) listPoll.restart()
  if (isOtherFeed) recordPoll.restart()
}

/** Draws the page. After an error, the next drawing begins with an empty page. */
function draw(): void {
  const focused = document.activeElement
  try {
    dialog = createDialog()
    render(<Board {...{ view, list, dialog, change }} />, root)
  } catch (error) {
    reportError(error)
    root.remove()
    root = createRoot()
  }
  // Browsers without moveBefore (Safari) take the focus from a row that moves.
  if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
}

/** Creates the dialog of the open feed. While a part of it is selected, it stays as it is. */
function createDialog(): VNode | undefined {
  const feed = findOpenFeed(view, list.loaded, record)
  const suffix = view.network === defaultNetwork ? '' : ` · ${toLabel(view.network)}`
  document.title = `${feed === undefined ? '' : `${feed.heading} · `}Price Lookup${suffix}`
  const key = `${view.network} ${view.feed}`
  if (feed === undefined || (dialog?.key === key && isSelected())) return feed && dialog
  return <RecordDialog key={key} {...{ view, list, feed, record, change }} />
}

function createRoot(): HTMLElement {
  return document.body.appendChild(document.createElement('div'))
}

/** Focuses the search when `/` is pressed, which some keyboards have on a key with Shift. */
function focusSearch(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event
  const isTyping = target instanceof Element && target.matches('[type=search]')
  if (key !== '/' || isTyping || ctrlKey || metaKey || altKey || view.feed !== undefined) return
  event.preventDefault()
  document.querySelector<HTMLElement>('[type=search]')?.focus()
}
