import {
  type Answer,
  type Check,
  type Fields,
  fieldsOf,
  formatAnswer,
  formatOutcome,
  formatValue,
  slugOf,
  toCheck,
  toSkipped,
} from './check.ts'
import type { Client } from './client.ts'
import {
  countDigits,
  findExplorerFaults,
  findNumberFaults,
  findOrderFault,
  findRecordFaults,
  findRounding,
  type Network,
} from './record.ts'

/** The list of a network. */
export interface List {
  readonly network: Network
  readonly answer: Answer
  /** With numbers as texts; empty when the answer is not a list. */
  readonly entries: readonly Fields[]
}

/** Requests the list of a network. */
export async function askList(client: Client, network: Network): Promise<List> {
  const answer = await client.ask(`/price${network.query}`)
  const { feeds } = fieldsOf(answer.exact)
  return { network, answer, entries: answer.status === 200 && Array.isArray(feeds) ? feeds.map(fieldsOf) : [] }
}

/** Returns the symbol of an entry; an empty text if it has none. */
export function symbolOf({ symbol }: Fields): string {
  return typeof symbol === 'string' ? symbol : ''
}

/**
 * Checks the list of a network, and the feeds in it at their own URLs.
 *
 * @param maxFeeds limits the requests
 */
export async function checkPrices(client: Client, list: List, maxFeeds: number): Promise<readonly Check[]> {
  const { network, answer, entries } = list
  const name = (text: string) => `${network.slug}: ${text}`
  const listing = name('GET /price lists the feeds')
  if (entries.length === 0) return [toCheck(listing, [formatAnswer(answer)], ''), toSkipped(name('feeds'), 'no list')]
  const toPath = (entry: Fields) => `/price/${encodeURIComponent(symbolOf(entry))}${network.query}`
  const moved = entries.filter(entry => entry['url'] !== `${client.baseUrl}${toPath(entry)}`)
  const answers = await Promise.all(entries.slice(0, maxFeeds).map(entry => client.ask(toPath(entry))))
  const feedFaults = answers.flatMap((one, index) => findFeedFaults(entries[index] ?? {}, one))
  const outcomes = [...Map.groupBy(answers, formatOutcome)].map(([outcome, same]) => `${same.length} × ${outcome}`)
  const { block } = fieldsOf(answer.exact)
  const urlFaults = moved.map(entry => `${symbolOf(entry)} is at ${formatValue(entry['url'])}`)
  return [
    toCheck(listing, findListFaults(list), `${entries.length} feeds, block ${block}`),
    toCheck(name('URLs in the list lead to the feeds'), urlFaults, `${client.baseUrl}/price/…${network.query}`),
    toCheck(name('feeds answer at their URLs'), feedFaults, outcomes.join(', ')),
    ...checkRecords(list, answers),
  ]
}

function findListFaults({ network, answer, entries }: List): readonly string[] {
  const list = fieldsOf(answer.exact)
  const { chainId, block, readAt } = list
  const symbols = entries.map(entry => symbolOf(entry).toLowerCase())
  const unsorted = symbols.filter((symbol, index) => index > 0 && (symbols[index - 1] ?? '') >= symbol)
  const others = entries.filter(one => !('problem' in one) && (one['block'] !== block || one['readAt'] !== readAt))
  return [
    ...findOrderFault(list, ['network', 'chainId', 'block', 'readAt', 'feeds']),
    ...(list['network'] === network.name && chainId === network.chainId ? [] : [`is of chain ${formatValue(chainId)}`]),
    ...unsorted.map(symbol => `${symbol} is out of order`),
    ...others.map(one => `${symbolOf(one)} is of block ${formatValue(one['block'])}`),
  ]
}

/** Compares a feed's own answer with its entry in the list: its addresses always, its values at the same block. */
function findFeedFaults(entry: Fields, answer: Answer): readonly string[] {
  const isUnreadable = answer.status === 502 && slugOf(answer) === 'feed-unreadable' && 'problem' in entry
  if (answer.status !== 200) return isUnreadable ? [] : [formatAnswer(answer)]
  const found = fieldsOf(answer.exact)
  const values = found['block'] === entry['block'] ? ['answerRaw', 'sharePrice', 'multiplier', 'observedAt'] : []
  const differing = ['symbol', 'feed', 'token', ...values].filter(name => found[name] !== entry[name])
  return differing.map(name => `${symbolOf(entry)}: ${name} is ${formatValue(found[name])}, unlike in the list`)
}

/** Checks the records of a list, and those that were answered alone. */
function checkRecords({ network, entries }: List, answers: readonly Answer[]): readonly Check[] {
  const [unreadable, listed] = [true, false].map(has => entries.filter(entry => 'problem' in entry === has))
  const single = answers.filter(({ status }) => status === 200).map(({ exact }) => fieldsOf(exact))
  const records = [...(listed ?? []), ...single]
  const find = (among: readonly Fields[] = [], findFaults: (one: Fields) => readonly string[]) =>
    among.flatMap(one => findFaults(one).map(fault => `${symbolOf(one)}: ${fault}`))
  const faults = [
    ...find(listed, one => findRecordFaults(one, network, ['url'])),
    ...find(single, one => findRecordFaults(one, network)),
    ...find(unreadable, one => findOrderFault(one, ['symbol', 'feed', 'token', 'explorer', 'url', 'problem'])),
    ...find(unreadable, findExplorerFaults),
  ]
  const multipliers = records.map(({ multiplier }) => String(multiplier))
  const longest = Math.max(0, ...multipliers.map(countDigits))
  const inexact = [...find(records, findNumberFaults), ...findRounding(multipliers)]
  return [
    toCheck(`${network.slug}: records are in order and consistent`, faults, `${records.length} records`),
    toCheck(`${network.slug}: numbers are exact`, inexact, `multipliers of up to ${longest} digits`),
  ]
}
