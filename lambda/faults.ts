/** Every way in which an upstream can fail. A log holds this word, never the upstream's own. */
const faults = {
  /** No complete response in time. */
  timeout: {},
  /** Hedged, and another endpoint returned a reading first. */
  slow: {},
  /** No connection, or a connection that broke. */
  unreachable: {},
  /** HTTP 401 or 403. */
  unauthorized: {},
  /** HTTP 429, or a JSON-RPC code that means the same. */
  'rate-limited': {},
  /** Any other HTTP status than 200, redirects included. */
  'http-status': {},
  /** A response larger than any valid one. */
  oversized: {},
  /** A body that is no JSON-RPC reply to our request. */
  'malformed-envelope': {},
  /** A JSON-RPC error. A feed's revert is data within the result, so an error is never a statement about a feed. */
  'rpc-error': {},
  /** A result that the program cannot have returned for our feeds. */
  'malformed-result': {},
  /** Not one feed of a list has code: a node without the chain's state. */
  'no-state': {},
  /** Another chain than the network's. */
  'wrong-chain': {},
  /** The block is older than the network allows. */
  'old-head': {},
  /** The block is from the future. */
  'future-head': {},
  /** Not the requested block. */
  'wrong-block': {},
  /** Two hosts returned different rows at one block, or blocks too far apart, and no reading may be served. */
  disagreement: {},
  /** Parameter Store failed, or it returned no usable URLs while stale URLs are in use. */
  'parameter-store': {},
} as const satisfies Record<string, object>

export type FaultKind = keyof typeof faults

export const faultKinds: readonly FaultKind[] = Object.keys(faults).filter(isFaultKind)

function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faults, text)
}

/** Numbers that an operator can look up and that reveal nothing. */
interface FaultNumbers {
  /** The HTTP status, if it was not 200. */
  readonly httpStatus?: number
  /** The code of a JSON-RPC error. */
  readonly rpcCode?: number
}

/** One failure of one upstream, as it is logged. */
export interface EndpointFault extends FaultNumbers {
  /** `rpc-1` to `rpc-3` in the configured order; none for Parameter Store and a disagreement. */
  readonly endpoint?: string
  readonly kind: FaultKind
}

/** One RPC endpoint's failure: its kind and numbers alone, no URL and no text of the node. */
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
