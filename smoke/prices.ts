import { isDeepStrictEqual } from 'node:util'
import { type Check, formatOutcome, formatReply, formatValue, toCheck } from './check.ts'
import { type Client, type Fields, fieldsOf, type Reply } from './client.ts'
import {
  findExplorerMismatches,
  findNumberMismatches,
  findRecordMismatches,
  findRounding,
  type Network,
} from './record.ts'

/** The list of a network. */
export interface List {
  readonly network: Network
  readonly reply: Reply
  /** With numbers as texts; empty when the reply is not a list. */
  readonly entries: readonly Fields[]
}

/** Requests the list of a network. */
export async function askList(client: Client, network: Network): Promise<List> {
  const reply = await client.ask(`/price${network.query}`)
  const { feeds } = reply.fields
  return { network, reply, entries: reply.status === 200 && Array.isArray(feeds) ? feeds.map(fieldsOf) : [] }
}

/** Whether a reply is the problem of a feed that cannot be read. */
function isUnreadable({ fields }: Reply): boolean {
  return fields['type'] === 'urn:problem-type:price-lookup:feed-unreadable'
}

/**
 * Checks the list of a network, and its feeds at their own URLs.
 *
 * @param maxFeeds limits the requests, to the first feeds
 */
export async function checkPrices(client: Client, list: List, maxFeeds: number): Promise<readonly Check[]> {
  const { network, reply, entries } = list
  const name = (text: string) => `${network.slug}: ${text}`
  const listing = name('GET /price lists the feeds')
  if (entries.length === 0) return [toCheck(listing, [formatReply(reply)], '')]
  const replies: Reply[] = []
  for (const entry of entries.slice(0, maxFeeds)) replies.push(await client.ask(toPath(entry, network)))
  const feedMismatches = replies.flatMap((one, index) => findFeedMismatches(entries[index] ?? {}, one))
  const outcomes = [...Map.groupBy(replies, formatOutcome)].map(([outcome, same]) => `${same.length} × ${outcome}`)
  const single = replies.filter(({ status }) => status === 200).map(({ fields }) => fields)
  const records = [...entries.filter(isRecord), ...single]
  const unreadable = entries.filter(entry => !isRecord(entry))
  const recordMismatches = [
    ...findAmong(records, record => findRecordMismatches(record, network)),
    ...findAmong(unreadable, findExplorerMismatches),
  ]
  const numberMismatches = [
    ...findAmong(records, findNumberMismatches),
    ...findRounding(records.map(({ multiplier }) => `${multiplier}`)),
  ]
  const seen = `${records.length} records`
  return [
    toCheck(
      listing,
      findListMismatches(list, client.baseUrl),
      `${entries.length} feeds, block ${reply.fields['block']}`,
    ),
    toCheck(name('feeds answer at their URLs'), feedMismatches, outcomes.join(', ')),
    toCheck(name('records are in order and consistent'), recordMismatches, seen),
    toCheck(name('numbers are exact'), numberMismatches, seen),
  ]
}

function toPath({ symbol }: Fields, { query }: Network): string {
  return `/price/${encodeURIComponent(`${symbol}`)}${query}`
}

/** Whether an entry of a list is a record. Otherwise its feed cannot be read. */
export function isRecord(entry: Fields): boolean {
  return !('problem' in entry)
}

function findAmong(
  entries: readonly Fields[],
  findMismatches: (entry: Fields) => readonly string[],
): readonly string[] {
  return entries.flatMap(entry => findMismatches(entry).map(mismatch => `${entry['symbol']}: ${mismatch}`))
}

const listFields = ['network', 'chainId', 'block', 'readAt', 'feeds']

function findListMismatches({ network, reply: { fields }, entries }: List, baseUrl: string): readonly string[] {
  const { name, chainId } = network
  const symbols = entries.map(({ symbol }) => `${symbol}`.toLowerCase())
  const isSorted = isDeepStrictEqual(symbols, [...new Set(symbols)].toSorted())
  const others = entries.filter(one => isRecord(one) && ['block', 'readAt'].some(field => one[field] !== fields[field]))
  const moved = entries.filter(entry => entry['url'] !== `${baseUrl}${toPath(entry, network)}`)
  const names = Object.keys(fields)
  return [
    ...(isDeepStrictEqual(names, listFields) ? [] : [`its fields are ${names.join(' ')}`]),
    ...(fields['network'] === name && fields['chainId'] === chainId ? [] : [`is of chain ${fields['chainId']}`]),
    ...(isSorted ? [] : [`is not in order: ${symbols.join(', ')}`]),
    ...others.map(({ symbol, block }) => `${symbol} is of block ${formatValue(block)}`),
    ...moved.map(({ symbol, url }) => `${symbol} is at ${formatValue(url)}`),
  ]
}

/** Compares a feed's own reply with its entry in the list: its addresses always, its values at the same block. */
function findFeedMismatches(entry: Fields, reply: Reply): readonly string[] {
  const { status, fields } = reply
  if (status !== 200) return isUnreadable(reply) && !isRecord(entry) ? [] : [formatReply(reply)]
  const values = fields['block'] === entry['block'] ? ['answerRaw', 'sharePrice', 'multiplier', 'observedAt'] : []
  const differing = ['symbol', 'feed', 'token', ...values].filter(name => fields[name] !== entry[name])
  return differing.map(name => `${entry['symbol']}: ${name} is ${formatValue(fields[name])}, unlike in the list`)
}
