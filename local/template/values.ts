import { StartFailure } from '../start-failure.ts'

/** Says what a template holds that the local gateway cannot play, and where: AWS may well understand it. */
export class TemplateNotUnderstood extends StartFailure {
  override name = 'TemplateNotUnderstood'

  constructor(where: string, why: string) {
    super(`${where}: ${why}`)
  }
}

/** Parses a JSON object; an absent one is empty. */
export function parseRecord(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (value === undefined) return {}
  if (!isRecord(value)) throw new TemplateNotUnderstood(where, 'is not an object.')
  return value
}

/** Parses a JSON array; an absent one is empty. */
export function parseList(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new TemplateNotUnderstood(where, 'is not a list.')
  return value
}

/** Parses a text without CloudFormation functions in it. */
export function parseText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new TemplateNotUnderstood(where, 'is not a plain text.')
  return value
}

/** Parses a number that is zero or more; an absent one is the fallback. */
export function parseNumber(value: unknown, where: string, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value !== 'number' || !(value >= 0)) throw new TemplateNotUnderstood(where, 'is not a number.')
  return value
}

/** Parses a boolean; an absent one is false. */
export function parseFlag(value: unknown, where: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw new TemplateNotUnderstood(where, 'is neither true nor false.')
  return value
}

/** Parses an HTTP status, which CloudFormation writes as a text. */
export function parseStatus(value: unknown, where: string): number {
  const text = parseText(value, where)
  if (!/^[1-5]\d\d$/.test(text)) throw new TemplateNotUnderstood(where, `${text} is not an HTTP status.`)
  return Number(text)
}

/**
 * Parses the headers of a response that the gateway makes: names after a prefix, values in single quotes, of which those inside are
 * the value's own.
 *
 * A value without quotes is a mapping from the request, which nothing here needs.
 */
export function parseQuotedHeaders(value: unknown, prefix: string, where: string): Readonly<Record<string, string>> {
  const headers = Object.entries(parseRecord(value, where)).map(([parameter, quoted]) => {
    const text = /^'(.*)'$/.exec(parseText(quoted, `${where} ${parameter}`))?.[1]
    if (!parameter.startsWith(prefix) || text === undefined) {
      throw new TemplateNotUnderstood(where, `${parameter} is not a header with a fixed value.`)
    }
    return [parameter.slice(prefix.length), text] as const
  })
  return Object.fromEntries(headers)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
