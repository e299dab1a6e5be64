import type { Answered, Failed } from './api-answer.ts'
import { createChip, setChip } from './chip.ts'
import { toCastLines, toCurlLine } from './commands.ts'
import { createCopyable } from './copyable.ts'
import { create, setAttribute, setText } from './dom.ts'
import { formatExactly, isUnreadable, type ShownRecord } from './exact-json.ts'
import { createFacts } from './facts.ts'
import { toFailureWords } from './freshness.ts'
import type { OpenFeed } from './open-feed.ts'
import { apiUrl } from './price-api.ts'
import { meaningOf, unreadable } from './statuses.ts'
import type { NetworkName } from './view-state.ts'

/** What is known of the feed that is open. */
interface Known extends OpenFeed {
  readonly answered: Answered<ShownRecord> | undefined
  readonly failed: Failed | undefined
}

/** Creates what the dialog holds, and gives what changes it: `show` tells under which heading. */
export function createRecordView(dialog: HTMLDialogElement, onClose: () => void) {
  const title = create('h2', { id: 'record-title' })
  const chip = createChip()
  const meaning = create('p', { class: 'meaning' })
  const failure = create('div', { class: 'failure', role: 'status' })
  const facts = createFacts()
  const check = createCheck()
  const close = create('button', { type: 'button', class: 'close', 'aria-label': 'Close', autofocus: '' }, '×')
  close.addEventListener('click', onClose)
  const words = create('strong', {}, 'For inspection only: a protocol must read the feed on-chain.')
  dialog.append(
    create('header', {}, title, chip, close),
    create('div', { class: 'content' }, meaning, facts.element, check.element, create('p', { class: 'about' }, words)),
    failure,
  )

  function show({ entry, network, path, answered, failed, ...feed }: Known): string {
    const record = answered?.value ?? (entry === undefined || isUnreadable(entry) ? undefined : entry)
    const known = record ?? entry
    const isUnknown = known === undefined && (feed.isUnknown || failed?.isLasting === true)
    // What someone wrote into the URL is no heading of ours.
    const heading = known?.symbol ?? (isUnknown ? 'Unknown symbol' : 'Feed')
    setText(title, heading)
    setChip(chip, record?.status ?? unreadable)
    chip.hidden = known === undefined
    setText(meaning, known === undefined ? '' : meaningOf(record?.status ?? unreadable))
    facts.element.hidden = known === undefined
    check.element.hidden = answered === undefined
    setText(failure, toProblemWords(isUnknown, failed, record !== undefined))
    setAttribute(dialog, 'data-failed', failed === undefined ? undefined : '')
    if (known !== undefined) facts.set(known, record)
    if (answered !== undefined) check.set(answered.value, network, path)
    return heading
  }
  return { show, tick: facts.tick }
}

/** Says what stands in the record's way, if anything does. */
function toProblemWords(isUnknown: boolean, failed: Failed | undefined, isKept: boolean): string {
  if (isUnknown) return 'This network has no feed of that symbol.'
  return failed === undefined ? '' : toFailureWords(failed, isKept)
}

/** How anyone can get the same without this page. */
function createCheck() {
  const curl = createCopyable('curl line', 'pre')
  const casts = [
    createCopyable('cast line for latestDetail', 'pre'),
    createCopyable('cast line for latestRoundData', 'pre'),
  ]
  const json = createCopyable('JSON', 'pre')
  const element = create(
    'section',
    {},
    create('h3', {}, 'Ask again'),
    curl.element,
    create('h3', {}, 'Check it on-chain, at this block'),
    ...casts.map(({ element }) => element),
    create('h3', {}, 'The record'),
    json.element,
  )
  return {
    element,
    set(record: ShownRecord, network: NetworkName, path: string) {
      curl.set(toCurlLine(apiUrl + path))
      for (const [index, line] of toCastLines(record, network).entries()) casts[index]?.set(line)
      json.set(formatExactly(record))
    },
  }
}
