import type { ShownEntry, ShownList, ShownRecord, UnreadableEntry } from './exact-json.ts'

/** What each field that the board uses has to be. */
type Shape<fields> = { readonly [name in keyof fields]?: (field: unknown) => boolean }

const isText = (field: unknown) => typeof field === 'string'
const isNumber = (field: unknown) => typeof field === 'number'
const isFlag = (field: unknown) => typeof field === 'boolean'
const isTextOrNull = (field: unknown) => field === null || isText(field)
const isNumberOrNull = (field: unknown) => field === null || isNumber(field)
const isTextOrAbsent = (field: unknown) => field === undefined || isText(field)

const addresses = {
  symbol: isText,
  feed: isText,
  token: isText,
  explorer: (field: unknown) => fits({ feed: isText, token: isText }, field),
}

const unreadableShape: Shape<UnreadableEntry> = {
  ...addresses,
  problem: field => typeof field === 'object' && field !== null,
}

const recordShape: Shape<ShownRecord> = {
  ...addresses,
  status: isText,
  servesLatestRoundData: isFlag,
  latestRoundDataReverts: isTextOrAbsent,
  price: isTextOrNull,
  sharePrice: isTextOrNull,
  multiplier: isTextOrNull,
  observedAt: isNumberOrNull,
  observedAtIso: isTextOrNull,
  ageSeconds: isNumberOrNull,
  answerRaw: isText,
  decimals: isNumber,
  block: isNumber,
  readAt: isText,
}

const listShape: Shape<ShownList> = {
  network: isText,
  block: isNumber,
  readAt: isText,
  feeds: field => Array.isArray(field) && field.every(isEntry),
}

/** Tells a list that can be shown from whatever else may come. */
export function isList(parsed: unknown): parsed is ShownList {
  return fits(listShape, parsed)
}

/** Tells a record that can be shown from whatever else may come. */
export function isRecord(parsed: unknown): parsed is ShownRecord {
  return fits(recordShape, parsed)
}

function isEntry(entry: unknown): entry is ShownEntry {
  return fits(unreadableShape, entry) || isRecord(entry)
}

function fits(shape: Readonly<Record<string, ((field: unknown) => boolean) | undefined>>, parsed: unknown): boolean {
  if (typeof parsed !== 'object' || parsed === null) return false
  const fields = new Map<string, unknown>(Object.entries(parsed))
  return Object.entries(shape).every(([name, isRight]) => isRight?.(fields.get(name)) ?? true)
}
