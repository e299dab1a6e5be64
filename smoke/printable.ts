/**
 * Replaces control characters, line breaks and characters that reorder or hide text by visible escapes.
 *
 * @example
 * toPrintable('\x1b[2J') // '\\u001b[2J'
 */
export function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, toEscape)
}

function toEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}
