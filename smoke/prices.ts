import { freshSeconds } from '../api/headers.ts'
import { defaultNetwork, isNetwork, type Network, networkFacts, toQuery } from '../api/networks.ts'
import { toProblemType } from '../api/problems.ts'
import { type Check, expectNone, Finding, formatOutcome, formatReply } from './check.ts'
import { type Client, type Fields, fieldsOf, type Reply, textOf } from './client.ts'
import { formatValue } from './printable.ts'

export const freshMs = 1_000 * freshSeconds

/** Whether a reply is a price or a list. */
export function isRead({ status, fields }: Reply): boolean {
  return status === 200 && 'readAt' in fields
}

/** Returns the network that a path selects; undefined for an unknown one. */
export function toNetwork(path: string): Network | undefined {
  const name = new URLSearchParams(path.split('?')[1]).getAll('network').at(-1) || defaultNetwork
  return isNetwork(name) ? name : undefined
}

/** Whether a path selects a network without doubt. API Gateway may decode a name, and may split at a semicolon. */
export function isPlain({ path }: Pick<Reply, 'path'>): boolean {
  return !/[%;]/.test(path)
}

function entriesOf(list: Reply | undefined): readonly Fields[] {
  const feeds = list?.fields['feeds']
  return Array.isArray(feeds) ? feeds.map(fieldsOf) : []
}

/** Whether an entry of a list is a record. Otherwise its feed cannot be read. */
function isRecord(entry: Fields): boolean {
  return !('problem' in entry)
}

/** Lists the entries of the latest list of a network. */
function findEntries({ replies }: Client, network: Network): readonly Fields[] {
  return entriesOf(replies.findLast(reply => reply.path === `/price${toQuery(network)}` && isRead(reply)))
}

/** Lists the records of the latest list of a network. */
export function findRecords(client: Client, network: Network): readonly Fields[] {
  return findEntries(client, network).filter(isRecord)
}

export function isUnavailable({ status, fields }: Reply): boolean {
  return status === 503 && fields['type'] === toProblemType('chain-unavailable')
}

/** The outcome where a network cannot be read: another than the default can wait. */
const toOutcome = (network: Network) => (network === defaultNetwork ? 'failed' : 'noted')

/** Checks the list of a network: each entry has its URL, and at least half of them are records. */
export const toListCheck = (network: Network): Check => ({
  name: `${network}: GET /price lists the feeds`,
  async run(client) {
    const list = await client.ask(`/price${toQuery(network)}`)
    const entries = entriesOf(list)
    if (isUnavailable(list)) throw new Finding(toOutcome(network), formatReply(list))
    if (!isRead(list) || entries.length === 0) throw new Finding('failed', formatReply(list))
    const moved = entries.filter(({ url, symbol }) => url !== client.baseUrl + toPath(symbol, network))
    const mismatches = moved.map(({ symbol, url }) => `${formatValue(symbol)} is at ${formatValue(url)}`)
    const seen = expectNone(mismatches, `${entries.length} feeds, block ${formatValue(list.fields['block'])}`)
    const records = entries.filter(isRecord).length
    if (2 * records < entries.length) throw new Finding(toOutcome(network), `only ${records} records of ${seen}`)
    return seen
  },
})

/** No weekend and no holiday is as long. */
const maxAgeSeconds = 7 * 86_400

/** Checks that the default network has a recent price: a publisher that moves to other feeds leaves ours with old ones. */
export const recentPriceCheck: Check = {
  name: `${defaultNetwork}: a price is of the last seven days`,
  run(client) {
    const records = findRecords(client, defaultNetwork)
    if (records.length === 0) throw new Finding('noted', 'no record of the network')
    const ages = records.flatMap(({ ageSeconds }) => (typeof ageSeconds === 'number' ? ageSeconds : []))
    const seen = ages.length === 0 ? 'no feed has a price' : `the latest price is ${Math.min(...ages)} s old`
    if (!ages.some(age => age < maxAgeSeconds)) throw new Finding('failed', seen)
    return seen
  },
}

function toPath(symbol: unknown, network: Network): string {
  return `/price/${textOf(symbol)}${toQuery(network)}`
}

/** Checks the feeds of a network, as many as given, at their own URLs. */
export const toFeedsCheck = (network: Network, maxFeeds: number): Check => ({
  name: `${network}: feeds answer at their URLs`,
  async run(client) {
    const entries = findEntries(client, network).slice(0, maxFeeds)
    if (entries.length === 0) throw new Finding('noted', 'no list of the network')
    const replies: Reply[] = []
    for (const { symbol } of entries) replies.push(await client.ask(toPath(symbol, network)))
    const canWait = (reply: Reply) => isUnavailable(reply) && network !== defaultNetwork
    const mismatches = replies.flatMap((reply, index) =>
      canWait(reply) ? [] : findFeedMismatches(entries[index] ?? {}, reply),
    )
    const outcomes = [...Map.groupBy(replies, formatOutcome)].map(([outcome, same]) => `${same.length} × ${outcome}`)
    const seen = expectNone(mismatches, outcomes.join(', '))
    if (replies.some(canWait)) throw new Finding('noted', seen)
    return seen
  },
})

/** Compares a feed's own reply with its entry in the list, which another function returned, perhaps of another version. */
function findFeedMismatches(entry: Fields, reply: Reply): readonly string[] {
  const { status, fields } = reply
  const isUnreadable = fields['type'] === toProblemType('feed-unreadable')
  if (status !== 200) return isUnreadable && !isRecord(entry) ? [] : [formatReply(reply)]
  const differing = ['feed', 'token'].filter(name => fields[name] !== entry[name])
  return differing.map(name => `${formatReply(reply)}, ${name} is ${formatValue(fields[name])}, unlike in the list`)
}

/** Finds a reply of another network, or another feed, than its path selects. */
export function findNetworkMismatches(reply: Reply): readonly string[] {
  const { path, status, fields } = reply
  const network = toNetwork(path)
  if (network === undefined || status !== 200 || !isPlain(reply)) return []
  const { name, id } = networkFacts[network].chain
  const [, symbol] = /^\/price\/([^/?]+)/.exec(path) ?? []
  const isOfSymbol = symbol === undefined || textOf(fields['symbol']).toLowerCase() === symbol.toLowerCase()
  return [
    ...(fields['network'] === name && fields['chainId'] === id
      ? []
      : [`is of chain ${formatValue(fields['chainId'])}`]),
    ...(isOfSymbol ? [] : [`is of ${formatValue(fields['symbol'])}`]),
  ]
}
