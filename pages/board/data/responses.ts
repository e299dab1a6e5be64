import { type Network, networkFacts } from '../../../api/networks.ts'
import type { PriceList, UnreadableFeed } from '../../../api/schemas/list.ts'
import type { PriceRecord } from '../../../api/schemas/record.ts'
import { feedStatuses } from '../../../api/statuses.ts'
import { symbolPattern } from '../../../api/symbol.ts'

/** A number of the API, digit by digit as the API wrote it. */
type Digits = `${number}`

interface Listed {
  readonly name: string
  /** Absent in a list of a former deployment. */
  readonly maxAgeSeconds?: number
}

/** An entry that has a record: what the page uses of it. */
export type ShownRecord = Omit<PriceRecord<Digits>, 'chainId' | 'observedAt' | 'decimals'> &
  Listed & { readonly problem?: undefined }

interface Unreadable extends Listed, Omit<UnreadableFeed, 'name' | 'maxAgeSeconds' | 'url' | 'problem'> {
  readonly problem: { readonly detail: string }
}

/** An entry of the list. */
export type Entry = ShownRecord | Unreadable

export type ShownList = Omit<PriceList<Digits>, 'chainId' | 'feeds'> & { readonly feeds: readonly Entry[] }

const exactFieldPattern = /"(price|sharePrice|multiplier)"\s*:\s*(-?\d+(?:\.\d+)?)/g

/**
 * Parses JSON and keeps every digit of the API's exact numbers, as texts. Returns undefined for what is not JSON.
 *
 * The pattern cannot match inside a JSON string, because a quote in a string is escaped.
 *
 * @example parseExactly('{"price":1.50}') // { price: '1.50' }
 */
export function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text.replace(exactFieldPattern, '"$1":"$2"'))
  } catch {
    return undefined
  }
}

/** Returns whether a response is the list of a network, with all that the page uses. */
export function isListOf(network: Network, response: unknown): response is ShownList {
  return (
    isList(response) &&
    response.network === networkFacts[network].chain.name &&
    // Rows are identified by their symbols.
    new Set(response.feeds.map(({ symbol }) => symbol)).size === response.feeds.length
  )
}

type Check = (value: unknown) => boolean

const toText =
  (form: RegExp): Check =>
  value =>
    typeof value === 'string' && form.test(value)
const toNullable =
  (check: Check): Check =>
  value =>
    value === null || check(value)
const toOptional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

/** Checks a whole number from 0 to 8.64e12, which is the latest time of a `Date` in seconds. */
const isCount: Check = value => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 8.64e12
const isDigits = toNullable(toText(/^\d{1,60}(\.\d{1,60})?$/))
const isTime: Check = value => toText(/^\d{4}-.*Z$/)(value) && Date.parse(String(value)) > 0
const isAddress = toText(/^0x[0-9a-fA-F]{40}$/)
const isAnyText = toText(/./)
/** A URL with another scheme could be a script. */
const isUrl = toText(/^https:\/\//)
export const isSymbol = toText(symbolPattern)

/** Creates the check of an object, from those of all its fields. */
function toObject<Type extends object>(checks: Readonly<Record<keyof Type, Check>>) {
  return (value: unknown): value is Type =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([name, check]) => check(Reflect.get(value, name)))
}

const listed = {
  name: isAnyText,
  maxAgeSeconds: toOptional(isCount),
  symbol: isSymbol,
  feed: isAddress,
  token: isAddress,
  explorer: toObject({ feed: isUrl, token: isUrl }),
}

const read = {
  network: isAnyText,
  block: isCount,
  readAt: isTime,
}

const isRecord = toObject<ShownRecord>({
  ...listed,
  ...read,
  problem: value => value === undefined,
  status: value => feedStatuses.some(status => status === value),
  servesLatestRoundData: value => typeof value === 'boolean',
  latestRoundDataReverts: toOptional(toText(/^\w{1,40}$/)),
  price: isDigits,
  sharePrice: isDigits,
  multiplier: isDigits,
  observedAtIso: toNullable(isTime),
  ageSeconds: toNullable(isCount),
  answerRaw: toText(/^-?\d+$/),
})

const isUnreadable = toObject<Unreadable>({
  ...listed,
  problem: toObject({ detail: isAnyText }),
})

const isList = toObject<ShownList>({
  ...read,
  feeds: value => Array.isArray(value) && value.every(entry => isRecord(entry) || isUnreadable(entry)),
})
