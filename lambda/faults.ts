/** Every way in which an upstream can fail. A log holds this word, never the upstream's own (D25). */
export const faultKinds = [
  /** No complete answer in time. */
  'timeout',
  /** Hedged, and another endpoint answered first. */
  'slow',
  /** No connection, or one that broke. */
  'unreachable',
  /** HTTP 401 or 403: the key is not, or no longer, accepted. */
  'unauthorized',
  /** HTTP 429, or a JSON-RPC code that means the same. */
  'rate-limited',
  /** Any other HTTP status than 200, redirects included. */
  'http-status',
  /** A body larger than any valid answer. */
  'oversized',
  /** A body that is no JSON-RPC reply to our request. */
  'malformed-envelope',
  /** A JSON-RPC error. A feed's revert is data within the result, so an error is never a statement about a feed. */
  'rpc-error',
  /** A result that is not exactly what Multicall3 returns for our calls. */
  'malformed-result',
  /** The call ran out of gas before its last row. */
  'out-of-gas',
  /** Not one feed of a list has code: a node without the chain's state. */
  'no-state',
  /** Another chain than the network's. */
  'wrong-chain',
  /** The block is older than the network allows. */
  'old-head',
  /** The block is from the future. */
  'future-head',
  /** Another block than the requested one. */
  'wrong-block',
  /** The read would have needed more requests than one read may make. */
  'over-budget',
  /** Parameter Store did not answer; or, while stale URLs are served, returned none that can be used. */
  'parameter-store',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** Numbers that an operator can look up and that reveal nothing. */
interface FaultNumbers {
  /** The HTTP status, if it was not 200. */
  readonly httpStatus?: number
  /** The code of a JSON-RPC error. */
  readonly rpcCode?: number
}

/** One failure of one upstream, as it is logged. */
export interface EndpointFault extends FaultNumbers {
  /** `rpc-1` to `rpc-3` in the configured order; none for Parameter Store. */
  readonly endpoint?: string
  readonly kind: FaultKind
}

/** One RPC endpoint's failure: its kind and numbers alone, no URL and no text of the node (D25). */
export class Fault extends Error {
  readonly kind: FaultKind
  readonly numbers: FaultNumbers

  constructor(kind: FaultKind, numbers: FaultNumbers = {}) {
    super(kind)
    this.name = 'Fault'
    this.kind = kind
    this.numbers = numbers
  }
}
