import type { Feed } from '../../../lambda/feeds/registry.ts'

/** What a feed's `latestDetail()` returns, its status as a number. */
export interface Detail {
  readonly status: number
  readonly answer: bigint
  readonly observedAt: bigint
  readonly sharePrice: bigint
  readonly multiplier: bigint
}

/** What a feed's `latestRoundData()` does: return an answer, revert with an error, or return malformed data. */
export type RoundData = { readonly answer: bigint } | { readonly reverts: string } | 'malformed'

/** A request to the service, and when it is read. */
export interface Request {
  readonly network: keyof typeof references
  readonly feeds: readonly Feed[]
  readonly readAt: Date
  /** The API's public address. */
  readonly baseUrl: string
}

/** The block that was read, and when. */
export type ReadBlock = Pick<Request, 'network' | 'readAt'> & { readonly block: number }

/** The text of a feed's record, or the problem in its place. */
export type Entry = string | 'feed-unreadable'

/** The feeds in a result, at one block. */
export interface Decoded {
  readonly block: number
  readonly entries: readonly Entry[]
}

/** What the service must report of the networks whose requests are fuzzed. */
export const references = {
  mainnet: {
    name: 'Robinhood Chain',
    chainId: 4663,
    explorer: 'https://robinhoodchain.blockscout.com',
    maxHeadAgeMs: 60_000,
  },
  testnet: {
    name: 'Robinhood Chain Testnet',
    chainId: 46630,
    explorer: 'https://explorer.testnet.chain.robinhood.com',
    maxHeadAgeMs: Number.POSITIVE_INFINITY,
  },
}

const labels = ['OK', 'Market closed', 'Stale', 'Oracle paused', 'Straddle', 'Corporate action', 'No data']

/** Writes the feed price record of the specification, digit by digit. */
export function writeRecord(
  { symbol, address, token }: Feed,
  detail: Detail,
  roundData: RoundData,
  { network, readAt, block }: ReadBlock,
): string {
  const { name, chainId, explorer } = references[network]
  const { answer, sharePrice, multiplier } = detail
  const observedAt = detail.observedAt === 0n ? undefined : Number(detail.observedAt)
  const ageSeconds = Math.floor(readAt.getTime() / 1_000) - (observedAt ?? 0)
  const links = { feed: `${explorer}/address/${address}`, token: `${explorer}/address/${token}` }
  const serves = typeof roundData === 'object' && 'answer' in roundData && roundData.answer === answer
  const fields: [string, string | undefined][] = [
    ['symbol', JSON.stringify(symbol)],
    ['network', JSON.stringify(name)],
    ['chainId', `${chainId}`],
    ['status', JSON.stringify(labels[detail.status])],
    ['servesLatestRoundData', `${serves}`],
    [
      'latestRoundDataReverts',
      typeof roundData === 'object' && 'reverts' in roundData ? JSON.stringify(roundData.reverts) : undefined,
    ],
    ['price', writeDecimal(answer, 8)],
    ['sharePrice', writeDecimal(sharePrice, 8)],
    ['multiplier', writeDecimal(multiplier, 18)],
    ['observedAt', `${observedAt ?? null}`],
    ['observedAtIso', JSON.stringify(observedAt === undefined ? null : new Date(observedAt * 1_000))],
    ['ageSeconds', observedAt === undefined ? 'null' : `${Math.max(0, ageSeconds)}`],
    ['answerRaw', `"${answer}"`],
    ['decimals', '8'],
    ['feed', JSON.stringify(address)],
    ['token', JSON.stringify(token)],
    ['explorer', JSON.stringify(links)],
    ['block', `${block}`],
    ['readAt', JSON.stringify(readAt)],
  ]
  const written = fields.flatMap(([field, text]) => (text === undefined ? [] : [`"${field}":${text}`]))
  return `{${written.join(',')}}`
}

function writeDecimal(value: bigint, decimals: number): string {
  if (value <= 0n) return 'null'
  const digits = `${value}`.padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`)
}

/** Writes the list of the specification, without the reasons of unreadable feeds. */
export function writeList({ block, entries }: Decoded, { network, feeds, readAt, baseUrl }: Request): string {
  const { name: networkName, chainId, explorer } = references[network]
  const written = feeds.map(({ symbol, name, address: feed, token }, index) => {
    const url = `${baseUrl}/price/${symbol}${network === 'mainnet' ? '' : '?network=testnet'}`
    const entry = entries[index] ?? 'feed-unreadable'
    if (entry !== 'feed-unreadable') return entry.replace(/\}$/, `,"name":${JSON.stringify(name)},"url":"${url}"}`)
    const links = { feed: `${explorer}/address/${feed}`, token: `${explorer}/address/${token}` }
    return JSON.stringify({ symbol, name, feed, token, explorer: links, url, problem: JSON.parse(unreadable) })
  })
  const list = { network: networkName, chainId, block, readAt, feeds: [] }
  return JSON.stringify(list).replace(/\[\]\}$/, `[${written.join(',')}]}`)
}

/** The problems of an unreadable feed and of an unavailable chain, without their reasons. */
export const unreadable =
  '{"type":"urn:problem-type:price-lookup:feed-unreadable","title":"Feed unreadable","status":502,"detail":"…"}'
export const unavailable =
  '{"type":"urn:problem-type:price-lookup:chain-unavailable","title":"Chain unavailable","status":503,"detail":"…"}'
