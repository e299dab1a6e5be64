import { decodeFunctionResult, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import type { Feed, Network } from '../../lambda/feeds/registry.ts'

/** What one call of many came to. */
export interface Row {
  readonly success: boolean
  readonly returnData: Hex
}

/** What a feed's `latestDetail()` says, its status as a number. */
export interface Told {
  readonly status: number
  readonly answer: bigint
  readonly observedAt: bigint
  readonly sharePrice: bigint
  readonly multiplier: bigint
}

/** What a feed's `latestRoundData()` does: the answer that it serves, the name of its revert, or anything else. */
export type Served = { readonly answer: bigint } | { readonly reverts: string } | 'malformed'

/** Where and when something was read. */
export interface Place {
  readonly network: Network
  readonly block: number
  readonly readAt: Date
}

/** The text of a feed's record; or that the feed cannot be read. */
export type Entry = string | 'feed-unreadable'

/** What the bytes of an answer hold: the feeds at one block; `out of gas` when a feed may have lacked gas (D17). */
export interface Holding {
  readonly block: number
  readonly entries: readonly Entry[]
}

const facts = {
  mainnet: { name: 'Robinhood Chain', chainId: 4663, explorer: 'https://robinhoodchain.blockscout.com' },
  testnet: {
    name: 'Robinhood Chain Testnet',
    chainId: 46630,
    explorer: 'https://explorer.testnet.chain.robinhood.com',
  },
} as const

const labels = ['OK', 'Market closed', 'Stale', 'Oracle paused', 'Straddle', 'Corporate action', 'No data']

/**
 * Says what a result of `aggregate3` holds, written from the decisions alone (D10 to D14, D19, D23); undefined when nobody may believe it.
 *
 * @param maxHeadAgeSeconds how old the chain's head may be
 */
export function refer(
  result: Hex,
  feeds: readonly Feed[],
  place: Omit<Place, 'block'>,
  maxHeadAgeSeconds: number,
): Holding | 'out of gas' | undefined {
  const rows = referRows(result, 3 + feeds.length + (feeds.length > 1 ? 1 : 0))
  const [chainId, time, block] = (rows ?? []).slice(0, 3).map(toCounted)
  if (rows === undefined || chainId === undefined || time === undefined || block === undefined) return undefined
  const ageMs = place.readAt.getTime() - time * 1_000
  if (chainId !== facts[place.network].chainId || ageMs > maxHeadAgeSeconds * 1_000 || ageMs < -15_000) return undefined
  if (rows[3 + feeds.length]?.success === false) return 'out of gas'
  const entries: Entry[] = []
  for (const [index, feed] of feeds.entries()) {
    const pair = toPair(rows[3 + index])
    if (pair === undefined) return undefined
    entries.push(referFeed(feed, pair, { ...place, block }))
  }
  return { block, entries }
}

/** Says what the two rows of a feed hold. */
export function referFeed(feed: Feed, [detail, round]: readonly [Row, Row], place: Place): Entry {
  const told = detail.success ? referDetail(detail.returnData) : undefined
  return told === undefined ? 'feed-unreadable' : writeRecord(feed, told, referRound(round), place)
}

const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] returnData)',
])

/** Decodes the rows of `aggregate3` with viem; undefined unless there are so many, and encoding them gives the same bytes. */
export function referRows(result: Hex, count: number): readonly Row[] | undefined {
  try {
    const rows = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: result })
    if (rows.length !== count) return undefined
    const again = encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result: rows })
    return again === result ? rows : undefined
  } catch {
    return undefined
  }
}

/** A feed's row holds two rows; one that failed stands for both. */
function toPair(row: Row | undefined): readonly [Row, Row] | undefined {
  if (row === undefined) return undefined
  // A multicall has no word of its own to revert with: it can only run out of gas.
  if (!row.success) return row.returnData === '0x' ? [row, row] : undefined
  const [detail, round] = referRows(row.returnData, 2) ?? []
  return detail && round && [detail, round]
}

/** Reads a word that counts something: an id, seconds, blocks. */
function toCounted({ success, returnData }: Row): number | undefined {
  const value = returnData.length === 66 ? BigInt(returnData) : undefined
  return success && value !== undefined && value < 2n ** 53n ? Number(value) : undefined
}

function referDetail(returnData: Hex): Told | undefined {
  const [status = 0n, answer = 0n, observedAt = 0n, sharePrice = 0n, multiplier = 0n] = toWords(returnData) ?? [7n]
  const isLate = observedAt * 1_000n > BigInt(Date.UTC(9999, 11, 31, 23, 59, 59))
  if (status > 6n || isLate) return undefined
  const signed = { answer: BigInt.asIntN(256, answer), sharePrice: BigInt.asIntN(256, sharePrice) }
  return { status: Number(status), observedAt, multiplier, ...signed }
}

function referRound({ success, returnData }: Row): Served {
  if (!success) return { reverts: nameRevert(returnData) }
  const [roundId = 0n, answer = 0n, , , answeredInRound = 0n] = toWords(returnData) ?? [2n ** 80n]
  return roundId < 2n ** 80n && answeredInRound < 2n ** 80n ? { answer: BigInt.asIntN(256, answer) } : 'malformed'
}

/** Both calls answer five words. */
function toWords(returnData: Hex): bigint[] | undefined {
  if (returnData.length !== 2 + 5 * 64) return undefined
  return [0, 1, 2, 3, 4].map(index => BigInt(`0x${returnData.slice(2 + 64 * index, 66 + 64 * index)}`))
}

function nameRevert(revertData: Hex): string {
  const selector = revertData.slice(0, 10)
  const names = {
    '0xe3f18fa8': 'FeedUnavailable',
    '0xc4e5ad09': 'NoHistory',
    '0x08c379a0': 'Error',
    '0x4e487b71': 'Panic',
  }
  return new Map(Object.entries(names)).get(selector) ?? (selector.length < 10 ? 'unnamed' : selector)
}

/** Writes the feed price record of the specification, digit by digit. */
export function writeRecord({ symbol, address, token }: Feed, told: Told, served: Served, place: Place): string {
  const { name, chainId, explorer } = facts[place.network]
  const { answer, sharePrice, multiplier } = told
  const observedAt = told.observedAt === 0n ? undefined : Number(told.observedAt)
  const ageSeconds = Math.floor(place.readAt.getTime() / 1_000) - (observedAt ?? 0)
  const links = { feed: `${explorer}/address/${address}`, token: `${explorer}/address/${token}` }
  const serves = typeof served === 'object' && 'answer' in served && served.answer === answer
  const fields: [string, string | undefined][] = [
    ['symbol', JSON.stringify(symbol)],
    ['network', JSON.stringify(name)],
    ['chainId', `${chainId}`],
    ['status', JSON.stringify(labels[told.status])],
    ['servesLatestRoundData', `${serves}`],
    [
      'latestRoundDataReverts',
      typeof served === 'object' && 'reverts' in served ? JSON.stringify(served.reverts) : undefined,
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
    ['block', `${place.block}`],
    ['readAt', JSON.stringify(place.readAt)],
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
