import { feedsOf, networks } from '../feeds/registry.ts'
import { faultKinds, problemSlugs } from '../problems.ts'

/** Every text that may be told: our own words, and none that anyone could bring in. */
const vocabulary: ReadonlySet<string> = new Set([
  'ok',
  'rpc-1',
  'rpc-2',
  'rpc-3',
  ...problemSlugs,
  ...faultKinds,
  ...networks,
  ...networks.flatMap(feedsOf).map(({ symbol }) => symbol),
])

/**
 * Withholds every text that is not of the closed vocabulary, however deep it lies, and passes what is no text (D25).
 *
 * The second line of defence: whoever notes a URL, a key or an upstream's word by mistake, it goes no further than this.
 */
export function withhold(noted: unknown): unknown {
  if (typeof noted === 'string') return vocabulary.has(noted) ? noted : '[withheld]'
  if (Array.isArray(noted)) return noted.map(withhold)
  if (typeof noted === 'object' && noted !== null)
    return Object.fromEntries(Object.entries(noted).map(([name, value]) => [withhold(name), withhold(value)]))
  return noted
}
