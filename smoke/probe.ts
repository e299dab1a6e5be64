import { type Network, networks } from './contract.ts'
import { type List, symbolOf } from './promises/list.ts'

/** The feed that the cache is tried with. */
export interface Probe {
  readonly symbol: string
  readonly network: Network
  /** A network to mix it up with: one with a feed of the same symbol, where there is one. */
  readonly other: Network
  /** Whether the other network has that symbol too. */
  readonly isShared: boolean
  /** Another symbol of the same network, if it has more than one. */
  readonly otherSymbol?: string
  /**
   * Ways to write the symbol that nobody else uses.
   *
   * The cache keeps each apart, because it keys by the path as it was sent: what is tried here is neither disturbed by other
   * callers nor ever shown to one.
   */
  readonly spellings: readonly string[]
}

/** Finds the feed to try the cache with: one on both networks, if there is one, with a long symbol. */
export function findProbe(lists: readonly List[]): Probe | undefined {
  const readable = lists.map(({ network, entries }) => ({
    network,
    symbols: entries.filter(entry => !entry.has('problem')).map(symbolOf),
  }))
  const candidates = readable.flatMap(({ network, symbols }) => {
    const other = networks.find(({ slug }) => slug !== network.slug) ?? network
    const shared = readable.find(one => one.network === other)?.symbols ?? []
    return symbols.map(symbol => ({ network, other, symbol, isShared: shared.includes(symbol) }))
  })
  const [best] = candidates.sort(
    (a, b) => Number(b.isShared) - Number(a.isShared) || letters(b.symbol).length - letters(a.symbol).length,
  )
  if (best === undefined) return undefined
  const otherSymbol = candidates.find(
    ({ network, symbol }) => network === best.network && symbol !== best.symbol,
  )?.symbol
  return { ...best, spellings: spell(best.symbol), ...(otherSymbol === undefined ? {} : { otherSymbol }) }
}

/** Writes a symbol in every mixture of cases but those that people write. */
export function spell(symbol: string): readonly string[] {
  const places = letters(symbol).slice(0, 5)
  const all = Array.from({ length: 2 ** places.length }, (_, bits) =>
    [...symbol]
      .map((letter, index) => {
        const bit = places.indexOf(index)
        return bit >= 0 && (bits >> bit) % 2 === 1 ? letter.toUpperCase() : letter.toLowerCase()
      })
      .join(''),
  )
  return all.filter(one => ![symbol, symbol.toLowerCase(), symbol.toUpperCase()].includes(one))
}

/** The places of a symbol's letters. */
function letters(symbol: string): readonly number[] {
  return [...symbol].flatMap((letter, index) => (letter.toLowerCase() === letter.toUpperCase() ? [] : [index]))
}
