import type { EndpointName } from './endpoints.ts'

/** Every way in which an upstream can fail. A log holds its name, never the upstream's own words. */
export const faultKinds = [
  'timeout',
  'slow',
  'unreachable',
  'unauthorized',
  'rate-limited',
  'http-status',
  'oversized',
  'malformed-envelope',
  'rpc-error',
  'malformed-result',
  'no-state',
  'fewer-feeds',
  'wrong-chain',
  'old-head',
  'future-head',
  'parameter-store',
] as const

/** What each kind means is in `checks/rpc/fault-texts.ts`, which the functions of the routes do not load. */
export type FaultKind = (typeof faultKinds)[number]

/** Numbers of a node's reply, which an operator can look up. They reveal no key, host or text. */
interface FaultNumbers {
  readonly httpStatus?: number
  readonly rpcCode?: number
}

/** One failure of one upstream, as it is logged. */
export interface UpstreamFault extends FaultNumbers {
  /** Absent for a fault of Parameter Store. */
  readonly endpoint?: EndpointName
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
