import { formatAge } from './age.ts'
import { createChip, setChip } from './chip.ts'
import { toCastLines, toCurlLine } from './commands.ts'
import { createCopyable } from './copyable.ts'
import { create, setAttribute, setText, toWebAddress } from './dom.ts'
import { formatExactly, isUnreadable, type ShownRecord } from './exact-json.ts'
import { toFailureWords } from './freshness.ts'
import type { Answered, Failed } from './price-api.ts'
import type { OpenFeed } from './record-dialog.ts'
import { toVerdict } from './rows.ts'
import { meaningOf, unreadable } from './statuses.ts'

/** What is known of the feed that is open. */
interface Known extends OpenFeed {
  readonly answered: Answered<ShownRecord> | undefined
  readonly failed: Failed | undefined
}

/** Creates what the dialog holds, and gives what changes it. */
export function createRecordView(dialog: HTMLDialogElement) {
  const title = create('h2', { id: 'record-title' })
  const chip = createChip()
  const meaning = create('p', { class: 'meaning' })
  const failure = create('div', { class: 'failure', role: 'status' })
  const facts = createFacts()
  const curl = createCopyable('curl line', 'pre')
  const casts = [
    createCopyable('cast line for latestDetail', 'pre'),
    createCopyable('cast line for latestRoundData', 'pre'),
  ]
  const json = createCopyable('JSON', 'pre')
  const check = create(
    'section',
    {},
    create('h3', {}, 'Ask again'),
    curl.element,
    create('h3', {}, 'Check it on-chain, at this block'),
    ...casts.map(({ element }) => element),
    create('h3', {}, 'The record'),
    json.element,
  )
  const close = create('button', { type: 'button', class: 'close', 'aria-label': 'Close', autofocus: '' }, '×')
  close.addEventListener('click', () => dialog.close())
  dialog.append(
    create('header', {}, title, chip, close),
    create(
      'div',
      { class: 'content' },
      meaning,
      facts.element,
      check,
      create(
        'p',
        { class: 'about' },
        create('strong', {}, 'For inspection only: a protocol must read the feed on-chain.'),
      ),
    ),
    failure,
  )

  function show({ symbol, entry, network, url, answered, failed }: Known): void {
    const record = answered?.value ?? (entry === undefined || isUnreadable(entry) ? undefined : entry)
    setText(title, record?.symbol ?? symbol)
    setChip(chip, record?.status ?? unreadable)
    chip.hidden = record === undefined && entry === undefined
    setText(meaning, record === undefined ? '' : meaningOf(record.status))
    facts.element.hidden = record === undefined
    check.hidden = answered === undefined
    setText(failure, failed === undefined ? '' : toFailureWords(failed, record !== undefined))
    setAttribute(dialog, 'data-failed', failed === undefined ? undefined : '')
    if (record !== undefined) facts.set(record)
    if (answered === undefined) return
    curl.set(toCurlLine(url))
    for (const [index, line] of toCastLines(answered.value, network).entries()) casts[index]?.set(line)
    json.set(formatExactly(answered.value))
  }
  return { show, tick: facts.tick }
}

/** The facts of a record, each under its name. */
function createFacts() {
  const list = create('dl', { class: 'facts' })
  const define = (name: string, ...described: readonly (Node | string)[]): void =>
    list.append(create('div', {}, create('dt', {}, name), create('dd', {}, ...described)))
  const arithmetic = create('output', { class: 'arithmetic' })
  const raw = create('code')
  const verdict = create('span', { class: 'served' })
  const observed = create('time')
  const age = create('span')
  const read = create('time')
  const links = { feed: create('a', {}, 'Explorer'), token: create('a', {}, 'Explorer') }
  const feed = createCopyable('feed address', 'code', links.feed)
  const token = createCopyable('token address', 'code', links.token)
  const block = create('code')
  define('Price', arithmetic)
  define('Answer on-chain', raw)
  define('latestRoundData()', verdict)
  define('Observed', observed, ' ', age)
  define('Feed', feed.element)
  define('Token', token.element)
  define('Block', block)
  define('Read', read)
  let observedAt: number | null = null
  return {
    element: list,
    set(record: ShownRecord) {
      setText(arithmetic, toArithmetic(record))
      setText(raw, `${record.answerRaw} ÷ 10^${record.decimals}`)
      setText(verdict, record.servesLatestRoundData ? 'is served to a contract' : `is refused: ${toVerdict(record)}`)
      setAttribute(verdict, 'data-served', String(record.servesLatestRoundData))
      setTime(observed, record.observedAtIso)
      observedAt = record.observedAt
      feed.set(record.feed)
      token.set(record.token)
      setAttribute(links.feed, 'href', toWebAddress(record.explorer.feed))
      setAttribute(links.token, 'href', toWebAddress(record.explorer.token))
      setText(block, `${record.block}`)
      setTime(read, record.readAt)
    },
    tick: (nowMs: number) => setText(age, observedAt === null ? '' : `${formatAge(nowMs / 1_000 - observedAt)} ago`),
  }
}

/** Tells where the price comes from, in the feed's own numbers: it multiplies and rounds by itself (D4). */
function toArithmetic({ price, sharePrice, multiplier }: ShownRecord): string {
  const [product, share, shares] = [price, sharePrice, multiplier].map(number => number ?? 'none')
  return `${share} USD per share × ${shares} = ${product} USD per token`
}

function setTime(element: HTMLTimeElement, iso: string | null): void {
  setText(element, iso ?? 'never')
  setAttribute(element, 'datetime', iso ?? undefined)
}
