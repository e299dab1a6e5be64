import { formatAge } from './age.ts'
import { createCopyable } from './copyable.ts'
import { create, setAttribute, setText, toWebAddress } from './dom.ts'
import type { ShownEntry, ShownRecord } from './exact-json.ts'

/** What every feed has, read or not. */
type Addresses = Pick<ShownEntry, 'feed' | 'token' | 'explorer'>

/** Creates the facts of a feed, each under its name: those of its record, if it has one, and its addresses. */
export function createFacts() {
  const list = create('dl', { class: 'facts' })
  const define = (name: string, ...described: readonly (Node | string)[]): HTMLElement => {
    const row = create('div', {}, create('dt', {}, name), create('dd', {}, ...described))
    list.append(row)
    return row
  }
  const arithmetic = create('span', { class: 'arithmetic' })
  const raw = create('code')
  const verdict = create('span', { class: 'served' })
  const observed = createObserved()
  const read = create('time')
  const addresses = createAddresses()
  const block = create('code')
  const above = [
    define('Price', arithmetic),
    define('Answer on-chain', raw),
    define('latestRoundData()', verdict),
    define('Observed', ...observed.parts),
  ]
  define('Feed', addresses.feed)
  define('Token', addresses.token)
  const ofRecord = [...above, define('Block', block), define('Read', read)]
  return {
    element: list,
    set(known: Addresses, record: ShownRecord | undefined) {
      addresses.set(known)
      for (const row of ofRecord) row.hidden = record === undefined
      if (record === undefined) return
      setText(arithmetic, toArithmetic(record))
      setText(raw, `${record.answerRaw} ÷ 10^${record.decimals}`)
      setText(verdict, toVerdict(record))
      setAttribute(verdict, 'data-served', String(record.servesLatestRoundData))
      observed.set(record)
      setText(block, `${record.block}`)
      setTime(read, record.readAt)
    },
    tick: observed.tick,
  }
}

/** When the share price was observed, and how long ago that is. */
function createObserved() {
  const time = create('time')
  const age = create('span')
  let ageSeconds: number | null = null
  return {
    parts: [time, ' ', age],
    set(record: ShownRecord) {
      ageSeconds = record.ageSeconds
      setTime(time, record.observedAtIso)
    },
    tick: (secondsSinceRead: number) =>
      setText(age, ageSeconds === null ? '' : `${formatAge(ageSeconds + secondsSinceRead)} ago`),
  }
}

/** Where the feed and its token are, to copy and to visit. */
function createAddresses() {
  const links = { feed: create('a', {}, 'Explorer'), token: create('a', {}, 'Explorer') }
  const feed = createCopyable('feed address', 'code', links.feed)
  const token = createCopyable('token address', 'code', links.token)
  return {
    feed: feed.element,
    token: token.element,
    set({ explorer, ...known }: Addresses) {
      feed.set(known.feed)
      token.set(known.token)
      setAttribute(links.feed, 'href', toWebAddress(explorer.feed))
      setAttribute(links.token, 'href', toWebAddress(explorer.token))
    },
  }
}

/** Tells where the price comes from, in the feed's own numbers: it multiplies and rounds by itself (D4). */
function toArithmetic({ price, sharePrice, multiplier }: ShownRecord): string {
  const [product, share, shares] = [price, sharePrice, multiplier].map(number => number ?? 'none')
  return `${share} USD per share × ${shares} = ${product} USD per token`
}

/** Says what a contract gets: a call that reverts and one that gives something else are two things. */
function toVerdict({ servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  if (servesLatestRoundData) return 'is served to a contract'
  return latestRoundDataReverts === undefined ? 'does not return this price' : `reverts: ${latestRoundDataReverts}`
}

function setTime(element: HTMLTimeElement, iso: string | null): void {
  setText(element, iso ?? 'never')
  setAttribute(element, 'datetime', iso ?? undefined)
}
