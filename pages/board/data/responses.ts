import { type Network, networkFacts } from '../../../api/networks.ts'
import { type FeedStatus, feedStatuses } from '../../../api/statuses.ts'

/** What the page uses of a feed's record. Exact numbers are texts, digit by digit as the API wrote them. */
export interface ExactRecord extends Contracts {
  readonly status: FeedStatus
  readonly servesLatestRoundData: boolean
  readonly latestRoundDataReverts: string | undefined
  readonly price: string | null
  readonly sharePrice: string | null
  readonly multiplier: string | null
  /** Unix seconds. */
  readonly observedAt: number | null
  readonly ageSeconds: number | null
  readonly answerRaw: string
  readonly block: number
  readonly readAt: string
}

/** What identifies a feed. */
interface Contracts {
  readonly symbol: string
  /** The company or fund. Only the list has it. */
  readonly name: string | undefined
  readonly feed: string
  readonly token: string
  readonly explorer: { readonly feed: string; readonly token: string }
}

/** A feed that cannot be read. */
export interface UnreadableFeed extends Contracts {
  /** A sentence for people. */
  readonly problem: string
}

/** An entry of the list. */
export type Entry = ExactRecord | UnreadableFeed

/** Every feed of a network. */
export interface ExactList {
  readonly network: string
  readonly block: number
  readonly readAt: string
  readonly feeds: readonly Entry[]
}

/** Returns whether an entry is a feed that cannot be read. */
export function isUnreadable(entry: Entry): entry is UnreadableFeed {
  return 'problem' in entry
}

const exactNumber = /"(price|sharePrice|multiplier)"\s*:\s*(-?\d+(?:\.\d+)?)/g

/**
 * Parses JSON and keeps every digit of the API's exact numbers, as texts.
 *
 * The pattern cannot match inside a JSON string, because a quote in a string is escaped.
 *
 * @throws {SyntaxError} if the text is not JSON.
 * @example parseExactly('{"price":1.50}') // { price: '1.50' }
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(exactNumber, '"$1":"$2"'))
}

/** @throws {UnexpectedValue} if the response is not the list of the network, or lacks what the page uses */
export function parseList(response: unknown, network: Network): ExactList {
  const fields = toFields(response)
  const entries = fields['feeds']
  const feeds = Array.isArray(entries) ? entries.map(parseEntry) : unexpected('feeds')
  // Rows are identified by their symbols.
  if (new Set(feeds.map(({ symbol }) => symbol)).size < feeds.length) unexpected('symbol')
  return { ...parseRead(fields), network: parseNetwork(fields, network), feeds }
}

/** @throws {UnexpectedValue} if the response is not that feed's record, or lacks what the page uses */
export function parseRecord(response: unknown, network: Network, symbol: string): ExactRecord {
  const fields = toFields(response)
  parseNetwork(fields, network)
  const record = toRecord(fields)
  return record.symbol.toLowerCase() === symbol.toLowerCase() ? record : unexpected('symbol')
}

/** What a response has in place of what the page uses. */
export class UnexpectedValue extends Error {}

function unexpected(name: string): never {
  throw new UnexpectedValue(name)
}

type Fields = Readonly<Record<string, unknown>>

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : unexpected('object')
}

function parseEntry(value: unknown): Entry {
  const fields = toFields(value)
  if (!('problem' in fields)) return toRecord(fields)
  return { ...parseContracts(fields), problem: parseText(toFields(fields['problem']), 'detail', /./) }
}

function toRecord(fields: Fields): ExactRecord {
  const status = feedStatuses.find(label => label === fields['status']) ?? unexpected('status')
  const hasError = fields['latestRoundDataReverts'] !== undefined
  return {
    ...parseContracts(fields),
    ...parseRead(fields),
    status,
    servesLatestRoundData: parseBoolean(fields, 'servesLatestRoundData'),
    latestRoundDataReverts: hasError ? parseText(fields, 'latestRoundDataReverts', /^\w{1,40}$/) : undefined,
    price: orNull(parseText, fields, 'price', exactDigits),
    sharePrice: orNull(parseText, fields, 'sharePrice', exactDigits),
    multiplier: orNull(parseText, fields, 'multiplier', exactDigits),
    observedAt: orNull(parseInteger, fields, 'observedAt'),
    ageSeconds: orNull(parseInteger, fields, 'ageSeconds'),
    answerRaw: parseText(fields, 'answerRaw', /^-?\d+$/),
  }
}

const exactDigits = /^\d{1,60}(\.\d{1,60})?$/
const address = /^0x[0-9a-fA-F]{40}$/

function parseContracts(fields: Fields): Contracts {
  const explorer = toFields(fields['explorer'])
  return {
    symbol: parseText(fields, 'symbol', /^\w[\w.-]{0,19}$/),
    name: fields['name'] === undefined ? undefined : parseText(fields, 'name', /./),
    feed: parseText(fields, 'feed', address),
    token: parseText(fields, 'token', address),
    explorer: { feed: parseText(explorer, 'feed', /./), token: parseText(explorer, 'token', /./) },
  }
}

function parseRead(fields: Fields): { block: number; readAt: string } {
  const readAt = parseText(fields, 'readAt', /^\d{4}-.*Z$/)
  return { block: parseInteger(fields, 'block'), readAt: Date.parse(readAt) ? readAt : unexpected('readAt') }
}

function parseNetwork(fields: Fields, network: Network): string {
  const { name } = networkFacts[network].chain
  return fields['network'] === name ? name : unexpected('network')
}

function parseText(fields: Fields, name: string, form: RegExp): string {
  const value = fields[name]
  return typeof value === 'string' && form.test(value) ? value : unexpected(name)
}

/** Up to a limit that is also one of dates, in seconds. */
function parseInteger(fields: Fields, name: string): number {
  const value = fields[name]
  const isInRange = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 8.64e12
  return isInRange ? Number(value) : unexpected(name)
}

function parseBoolean(fields: Fields, name: string): boolean {
  const value = fields[name]
  return typeof value === 'boolean' ? value : unexpected(name)
}

function orNull<Value, Rest extends readonly unknown[]>(
  parse: (fields: Fields, name: string, ...rest: Rest) => Value,
  fields: Fields,
  name: string,
  ...rest: Rest
): Value | null {
  return fields[name] === null ? null : parse(fields, name, ...rest)
}
