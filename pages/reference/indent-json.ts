/** A string, white space, an opening or closing bracket, a comma or a colon: everything but numbers, true, false and null. */
const token = /"(?:[^"\\]|\\.)*"|\s+|[{[](?:\s*[}\]])?|[}\],:]/g

/**
 * Indents a JSON text. It changes nothing but white space between tokens, so that every number keeps its digits.
 *
 * @example indentJson('{"a":1.50}') // '{\n  "a": 1.50\n}'
 */
export function indentJson(text: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replaceAll(token, part => {
    if (part.startsWith('"')) return part
    if (part === ':') return ': '
    if (part === ',') return part + line()
    if (part === '{' || part === '[') {
      depth += 1
      return part + line()
    }
    if (part === '}' || part === ']') {
      depth -= 1
      return line() + part
    }
    // White space, or an empty object or array.
    return part.replaceAll(/\s/g, '')
  })
}
