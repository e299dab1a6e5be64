import { formatAge } from './age.ts'
import { toArithmetic } from './arithmetic.ts'
import { createCopyable } from './copyable.ts'
import { create, setAttribute, setText, toWebAddress } from './dom.ts'
import type { ShownEntry, ShownRecord } from './exact-json.ts'
import { createSteadyText } from './steady-text.ts'

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
  const arithmetic = createSteady('span', { class: 'arithmetic' })
  const raw = createSteady('code')
  const verdict = create('span', { class: 'served' })
  const observed = createObserved()
  const read = createTime()
  const addresses = createAddresses()
  const block = createSteady('code')
  const above = [
    define('Price', arithmetic.element),
    define('Answer on-chain', raw.element),
    define('latestRoundData()', verdict),
    define('Observed', ...observed.parts),
  ]
  define('Feed', addresses.feed)
  define('Token', addresses.token)
  const ofRecord = [...above, define('Block', block.element), define('Read', read.element)]
  return {
    element: list,
    set(known: Addresses, record: ShownRecord | undefined) {
      addresses.set(known)
      for (const row of ofRecord) row.hidden = record === undefined
      if (record === undefined) return
      arithmetic.set(toArithmetic(record))
      raw.set(`${record.answerRaw} ÷ 10^${record.decimals}`)
      setText(verdict, toVerdict(record))
      setAttribute(verdict, 'data-served', String(record.servesLatestRoundData))
      observed.set(record)
      block.set(`${record.block}`)
      read.set(record.readAt)
    },
    tick: observed.tick,
  }
}

/** When the share price was observed, and how long ago that is. */
function createObserved() {
  const time = createTime()
  const age = create('span')
  let ageSeconds: number | null = null
  return {
    parts: [time.element, ' ', age],
    set(record: ShownRecord) {
      ageSeconds = record.ageSeconds
      time.set(record.observedAtIso)
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

/** Says what a contract gets: a call that reverts and one that gives something else are two things. */
function toVerdict({ servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  if (servesLatestRoundData) return 'is served to a contract'
  return latestRoundDataReverts === undefined ? 'does not return this price' : `reverts: ${latestRoundDataReverts}`
}

function createTime() {
  const { element, set } = createSteady('time')
  return {
    element,
    set(iso: string | null) {
      set(iso ?? 'never')
      setAttribute(element, 'datetime', iso ?? undefined)
    },
  }
}

/** Creates an element whose text waits for whoever is copying it. */
function createSteady(tag: 'code' | 'span' | 'time', attributes?: Readonly<Record<string, string>>) {
  const element = create(tag, attributes)
  return { element, set: createSteadyText(element) }
}
