/** Characters of one text of a server that are shown. */
const maxShown = 80

/**
 * Replaces control characters, characters that reorder or hide text, and all that Unicode does not assign by visible
 * escapes.
 *
 * @example
 * toPrintable('\x1b[2J') // '\\u001b[2J'
 */
export function toPrintable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape)
}

function toEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}

export function shorten(text: string, maxLength = maxShown): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Formats a value of a reply, shortened: a text as it is, anything else as JSON. */
export function formatValue(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing'))
}
