const maxCount = 3

/**
 * Finds the symbols that are similar to a text, in alphabetical order.
 *
 * A symbol is similar if it begins with the text or the text with it, or if they differ in one letter that is missing,
 * added or another, or in two neighbouring letters that are swapped. Their case does not matter.
 *
 * @example
 * findSimilar('ApPL', ['AAPL', 'AMC', 'F']) // ['AAPL']
 */
export function findSimilar(text: string, symbols: readonly string[]): readonly string[] {
  const wanted = text.toLowerCase()
  const similar = symbols.filter(symbol => isSimilar(wanted, symbol.toLowerCase()))
  return similar.toSorted().slice(0, maxCount)
}

/** Compares what is between the letters at the start and at the end that both have. */
function isSimilar(text: string, symbol: string): boolean {
  if (text.startsWith(symbol) || symbol.startsWith(text)) return true
  const shorter = Math.min(text.length, symbol.length)
  let start = 0
  while (text[start] === symbol[start]) start += 1
  let end = 0
  while (end < shorter - start && text.at(-1 - end) === symbol.at(-1 - end)) end += 1
  const [left, right] = [text.slice(start, text.length - end), symbol.slice(start, symbol.length - end)]
  const isOneLetter = Math.max(left.length, right.length) === 1 && start + end > 0
  const isSwapped = left.length === 2 && left === right.slice(1) + right.slice(0, 1)
  return isOneLetter || isSwapped
}
