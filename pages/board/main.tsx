import { options, render } from 'preact'
import { type Network, ofEachNetwork } from '../../api/networks.ts'
import { Board } from './board.tsx'
import { momentAgo, secondsSince } from './data/clock.ts'
import { type Due, type Latest, toLatest } from './data/latest.ts'
import { minWaitMs, requestList, timeoutMs } from './data/requests.ts'
import { goBackToList, writeView } from './history.ts'
import { RecordDialog } from './record/dialog.tsx'
import { parseView, type View } from './view.ts'

let view = parseView(location.search)
/** The last list of each network, and the failure of its last request. Both are kept while another one is shown. */
let latest: Readonly<Record<Network, Latest>> = ofEachNetwork(() => ({}))
/** When the next request of the list is made, whichever network it is of. */
let due: Due = { since: momentAgo(0), waitMs: 0, isRunning: false }
/** How many requests have begun. Only the newest one counts: an older one can end after it. */
let requestCount = 0
/** Where the board is drawn. */
let root: HTMLElement | undefined

// Each text that changes is a new element. A translator or an extension may have replaced the old element's content.
options.vnode = vnode => {
  const { children } = vnode.props
  if (typeof vnode.type === 'string' && typeof children === 'string') vnode.key ??= children
}

// A saved copy holds a board that is drawn already. It keeps its prices, beside the time of their reading.
if (document.querySelector('main') === null) start()

function start(): void {
  addEventListener('popstate', () => show(parseView(location.search)))
  document.addEventListener('visibilitychange', refresh)
  addEventListener('online', retryOnline)
  setInterval(refresh, 1_000)
  refresh()
}

/** Draws the page, and requests the list if that is due and the page is visible. */
function refresh(): void {
  draw()
  const isDue = 1_000 * secondsSince(due.since) >= due.waitMs
  if (isDue && document.visibilityState === 'visible') void requestLatest()
}

/** Requests the list of the shown network. */
async function requestLatest(): Promise<void> {
  const { network } = view
  if (network === undefined) return
  requestCount += 1
  const number = requestCount
  due = { since: momentAgo(0), waitMs: 2 * timeoutMs, isRunning: true }
  const { result, waitMs } = await requestList(network)
  if (number !== requestCount) return
  due = { since: momentAgo(0), waitMs, isRunning: false }
  latest = { ...latest, [network]: toLatest(latest[network], result) }
  draw()
}

/** After a failure, shortens the wait for the next attempt, because the machine is online again. */
function retryOnline(): void {
  const hasFailed = view.network !== undefined && latest[view.network].failed !== undefined
  if (!hasFailed || due.isRunning) return
  due = { ...due, waitMs: Math.min(due.waitMs, minWaitMs) }
  refresh()
}

/** Changes the view and the page's URL, and draws the page. */
function change(changed: Partial<View>): void {
  const before = view
  const next = { ...before, ...changed }
  if (before.feed !== undefined && next.feed === undefined && goBackToList()) return
  writeView(before, next)
  show(next)
}

function show(next: View): void {
  const isOtherNetwork = next.network !== view.network
  view = next
  if (isOtherNetwork) due = { ...due, waitMs: 0 }
  refresh()
}

/** Draws the page. After an error, the next drawing begins with an empty page. */
function draw(): void {
  const focused = document.activeElement
  try {
    root ??= createRoot()
    render(createBoard(), root)
  } catch (error) {
    reportError(error)
    root?.remove()
    root = undefined
  }
  const heading = document.querySelector('dialog h2')?.textContent
  document.title = [heading ?? [], view.network ?? [], 'Price Lookup'].flat().join(' · ')
  // Browsers without moveBefore (Safari) take the focus from a row that moves, and all from one that the filter hides.
  if (document.activeElement === document.body && focused instanceof HTMLElement)
    (focused.isConnected ? focused : document.querySelector<HTMLElement>('[type=search]'))?.focus()
}

/** Creates the element before the script, which can then find the board of a saved copy. */
function createRoot(): HTMLElement {
  const element = document.createElement('div')
  document.body.prepend(element)
  return element
}

function createBoard() {
  const { network, feed } = view
  const shown = network === undefined ? {} : latest[network]
  const onClose = () => change({ feed: undefined })
  const dialog =
    network === undefined || feed === undefined ? undefined : (
      <RecordDialog key={`${network} ${feed}`} {...{ network, feed, due, onClose }} latest={shown} />
    )
  return <Board {...{ view, due, change, dialog }} latest={shown} />
}
