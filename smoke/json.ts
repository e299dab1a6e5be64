/** A JSON value whose numbers are texts, with every digit that was sent, and whose objects keep their order. */
export type Json = string | boolean | null | NumberText | readonly Json[] | JsonObject

/** A number as it was written. */
interface NumberText {
  readonly digits: string
}

/** An object's fields, in their order. */
export type JsonObject = ReadonlyMap<string, Json>

/** Parses JSON; anything else is undefined. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text, toJson)
  } catch {
    return undefined
  }
}

/** Gives the fields of an object; anything else has none. */
export function fieldsOf(json: Json | undefined): JsonObject {
  return json instanceof Map ? json : new Map()
}

/** Gives the entries of an array; anything else has none. */
export function entriesOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : []
}

/** Gives the digits of a number; anything else has none. */
export function digitsOf(json: Json | undefined): string | undefined {
  return typeof json === 'object' && json !== null && 'digits' in json ? json.digits : undefined
}

/** Says where the fields of an object differ from those that are expected, in their order. */
export function findFieldFaults(object: JsonObject, expected: readonly string[]): readonly string[] {
  const names = [...object.keys()]
  const missing = expected.filter(name => !object.has(name)).map(name => `lacks ${name}`)
  const others = names.filter(name => !expected.includes(name)).map(name => `has a field ${formatText(name)}`)
  if (missing.length + others.length > 0) return [...missing, ...others]
  const moved = names.find((name, index) => name !== expected[index])
  return moved === undefined ? [] : [`has ${moved} out of its order`]
}

/** Formats a value for people, on one short line. */
export function formatJson(json: Json | undefined): string {
  if (json === undefined) return 'nothing'
  if (typeof json === 'string') return formatText(json)
  if (Array.isArray(json)) return 'an array'
  return json instanceof Map ? 'an object' : (digitsOf(json) ?? String(json))
}

function formatText(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** Revives what `JSON.parse` made; the third argument, with the number's own text, is not in TypeScript's library. */
function toJson(_: string, value: unknown, ...[context]: readonly { readonly source?: string }[]): unknown {
  if (typeof value === 'number') return { digits: context?.source }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return new Map(Object.entries(value))
}
