/** Every way in which an RPC endpoint can fail us. A log and a caller learn this word, and never the endpoint's own. */
export type FaultKind =
  /** No whole answer in time. */
  | 'timeout'
  /** No connection, or one that broke. */
  | 'unreachable'
  /** HTTP 401 or 403: the key is not, or no longer, good. */
  | 'unauthorized'
  /** HTTP 429. */
  | 'rate-limited'
  /** Any other HTTP status than 200, redirects included. */
  | 'http-status'
  /** A body larger than any true answer. */
  | 'oversized'
  /** A body that is no JSON-RPC answer to our request. */
  | 'malformed-envelope'
  /** A JSON-RPC error. Reverts of feeds come as rows, so that no error of a node is a word about a feed. */
  | 'rpc-error'
  /** A result that is not exactly what Multicall3 answers to our calls. */
  | 'malformed-result'
  /** Another chain than the network's. */
  | 'wrong-chain'
  /** A head older than the network's limit. */
  | 'old-head'
  /** A head from the future. */
  | 'future-head'
  /** Another block than the one asked for. */
  | 'wrong-block'

/** One endpoint's failure. Holds its kind alone: no URL, no word of the node's. */
export class Fault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind) {
    super(kind)
    this.name = 'Fault'
    this.kind = kind
  }
}
