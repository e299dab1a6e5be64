import { type Check, formatAnswer, formatOutcome, formatValue, toCheck } from './check.ts'
import { type Answer, type Client, type Fields, fieldsOf } from './client.ts'
import { findExplorerFaults, findNumberFaults, findRecordFaults, findRounding, type Network } from './record.ts'

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
  const { feeds } = answer.fields
  return { network, answer, entries: answer.status === 200 && Array.isArray(feeds) ? feeds.map(fieldsOf) : [] }
}

/** Whether an answer is the problem of a feed that did not answer as a feed does. */
function isUnreadable({ fields }: Answer): boolean {
  return fields['type'] === 'urn:problem-type:price-lookup:feed-unreadable'
}

/**
 * Checks the list of a network, and its feeds at their own URLs.
 *
 * @param maxFeeds limits the requests, to the first feeds
 */
export async function checkPrices(client: Client, list: List, maxFeeds: number): Promise<readonly Check[]> {
  const { network, answer, entries } = list
  const name = (text: string) => `${network.slug}: ${text}`
  const listing = name('GET /price lists the feeds')
  if (entries.length === 0) return [toCheck(listing, [formatAnswer(answer)], '')]
  const toPath = ({ symbol }: Fields) => `/price/${encodeURIComponent(`${symbol}`)}${network.query}`
  const moved = entries.filter(entry => entry['url'] !== `${client.baseUrl}${toPath(entry)}`)
  const listFaults = [...findListFaults(list), ...moved.map(({ symbol, url }) => `${symbol} is at ${formatValue(url)}`)]
  const answers: Answer[] = []
  for (const entry of entries.slice(0, maxFeeds)) answers.push(await client.ask(toPath(entry)))
  const feedFaults = answers.flatMap((one, index) => findFeedFaults(entries[index] ?? {}, one))
  const outcomes = [...Map.groupBy(answers, formatOutcome)].map(([outcome, same]) => `${same.length} × ${outcome}`)
  const single = answers.filter(({ status }) => status === 200).map(({ fields }) => fields)
  const unreadable = entries.filter(entry => !isRecord(entry))
  const records = [...entries.filter(isRecord), ...single]
  const recordFaults = [
    ...findAmong(records, record => findRecordFaults(record, network)),
    ...findAmong(unreadable, findExplorerFaults),
  ]
  const rounding = findRounding(records.map(({ multiplier }) => `${multiplier}`))
  return [
    toCheck(listing, listFaults, `${entries.length} feeds, block ${answer.fields['block']}`),
    toCheck(name('feeds answer at their URLs'), feedFaults, outcomes.join(', ')),
    toCheck(name('records are in order and consistent'), recordFaults, `${records.length} records`),
    toCheck(
      name('numbers are exact'),
      [...findAmong(records, findNumberFaults), ...rounding],
      `${records.length} records`,
    ),
  ]
}

/** Whether an entry of a list is a record. Otherwise its feed cannot be read. */
export function isRecord(entry: Fields): boolean {
  return !('problem' in entry)
}

function findAmong(entries: readonly Fields[], findFaults: (entry: Fields) => readonly string[]): readonly string[] {
  return entries.flatMap(entry => findFaults(entry).map(fault => `${entry['symbol']}: ${fault}`))
}

const listFields = 'network chainId block readAt feeds'

function findListFaults({ network, answer: { fields }, entries }: List): readonly string[] {
  const { name, chainId } = network
  const symbols = entries.map(({ symbol }) => `${symbol}`.toLowerCase())
  const isSorted = symbols.join() === [...new Set(symbols)].toSorted().join()
  const others = entries.filter(one => isRecord(one) && ['block', 'readAt'].some(field => one[field] !== fields[field]))
  return [
    ...(Object.keys(fields).join(' ') === listFields ? [] : [`its fields are ${Object.keys(fields).join(' ')}`]),
    ...(fields['network'] === name && fields['chainId'] === chainId ? [] : [`is of chain ${fields['chainId']}`]),
    ...(isSorted ? [] : [`is not in order: ${symbols.join(', ')}`]),
    ...others.map(({ symbol, block }) => `${symbol} is of block ${formatValue(block)}`),
  ]
}

/** Compares a feed's own answer with its entry in the list: its addresses always, its values at the same block. */
function findFeedFaults(entry: Fields, answer: Answer): readonly string[] {
  const { status, fields } = answer
  if (status !== 200) return isUnreadable(answer) && !isRecord(entry) ? [] : [formatAnswer(answer)]
  const values = fields['block'] === entry['block'] ? ['answerRaw', 'sharePrice', 'multiplier', 'observedAt'] : []
  const differing = ['symbol', 'feed', 'token', ...values].filter(name => fields[name] !== entry[name])
  return differing.map(name => `${entry['symbol']}: ${name} is ${formatValue(fields[name])}, unlike in the list`)
}
