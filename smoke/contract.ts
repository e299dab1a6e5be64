/** A network as callers know it. */
export interface Network {
  /** Its value of the query parameter `network`. */
  readonly slug: string
  /** What is added to a path to ask for it. */
  readonly query: string
  /** Its display name. */
  readonly name: string
  readonly chainId: string
}

/** The networks that are served, the default first. */
export const networks: readonly Network[] = [
  { slug: 'mainnet', query: '', name: 'Robinhood Chain', chainId: '4663' },
  { slug: 'testnet', query: '?network=testnet', name: 'Robinhood Chain Testnet', chainId: '46630' },
]

/** Every path that there is, sorted. */
export const paths = ['/', '/openapi.json', '/price', '/price/{symbol}']

/** How old an answer may be. */
export const shownMs = 10_000

/** By how much the clocks of a function and of a gateway may differ, before it counts. */
export const skewMs = 2_000

/** The fields of the list, in their order. */
export const listFields = ['network', 'chainId', 'block', 'readAt', 'feeds']

/** The fields of a list's entry whose feed cannot be read, in their order. */
export const unreadableFields = ['symbol', 'feed', 'token', 'explorer', 'url', 'problem']

/** The fields of a problem document, in their order. */
export const problemFields = ['type', 'title', 'status', 'detail']

/** What every problem's type begins with. */
export const problemType = 'urn:problem-type:price-lookup:'

/** What a feed may say of its price. */
export const statuses: readonly unknown[] = [
  'OK',
  'Market closed',
  'Stale',
  'Oracle paused',
  'Straddle',
  'Corporate action',
  'No data',
]
