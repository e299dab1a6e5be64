import type { FaultKind } from '../../lambda/faults.ts'
import { hedgeDelayMs } from '../../lambda/timing.ts'

/** A kind of fault, for people, in Markdown. */
interface FaultText {
  readonly meaning: string
  readonly seenAs: string
  readonly remedy: string
}

const connectionLimit =
  'or, in a deployment, the node limits connections: each container of a function keeps one for each URL, also while ' +
  'it is frozen'

/**
 * The texts of every kind of fault, for `check-rpc` and the function `RpcCheck`. A test writes the table of
 * `docs/faults.md` from them.
 */
export const faultTexts: Readonly<Record<FaultKind, FaultText>> = {
  timeout: {
    meaning: 'no complete response in time',
    seenAs: 'headers that never come, a body that stalls, a byte per 50 ms',
    remedy: 'if it lasts, choose another region or provider',
  },
  slow: {
    meaning: `no reading in ${hedgeDelayMs} ms, and another endpoint was faster`,
    seenAs: `a response that takes more than ${hedgeDelayMs} ms`,
    remedy: 'do nothing, unless it lasts: then choose another region or provider',
  },
  unreachable: {
    meaning: 'no connection, or one that broke',
    seenAs: 'refused, unknown host, no TLS, dropped, reset, HTTP/2 alone, malformed HTTP, headers of more than 16 KB',
    remedy: `check the host, its certificate, and what responds there: HTTP/1.1 is needed; ${connectionLimit}`,
  },
  unauthorized: {
    meaning: 'HTTP 401 or 403',
    seenAs: 'an invalid or expired key, a blocked client',
    remedy: 'check the key, the networks and addresses that it is allowed, and whether the node accepts the host name',
  },
  'rate-limited': {
    meaning: 'HTTP 429, or a JSON-RPC code that means the same',
    seenAs: '429 with HTML or JSON; -32005, -32007, -32012, -32016, -32029, -32605 or 429 inside HTTP 200',
    remedy: `raise the plan at the provider; ${connectionLimit}`,
  },
  'http-status': {
    meaning: 'an HTTP status other than 2xx, 401, 403 and 429',
    seenAs: '5xx pages, redirects (never followed), 400, 402, 404',
    remedy:
      'check the path of the URL; 3xx: the node has moved; 402: raise or pay the plan; 400: the node may refuse ' +
      '`eth_call` without `to`; from 500 on: ask the provider',
  },
  oversized: {
    meaning: 'a response larger than any valid one',
    seenAs: 'a body of more than 64 KiB, also decompressed',
    remedy: 'check the path of the URL: no RPC node is there, or a proxy in front of it responds',
  },
  'malformed-envelope': {
    meaning: 'no JSON-RPC reply to this request',
    seenAs: 'HTML, empty, truncated, an array, another id, another compression than gzip',
    remedy: 'check the path of the URL: no RPC node is there, or a proxy in front of it responds',
  },
  'rpc-error': {
    meaning: 'a JSON-RPC error',
    seenAs: "missing state, unknown block, no call without `to`, a revert of the program, the node's own limits",
    remedy:
      'ask the provider about the `rpcCode`: the key is wrong, the plan is exhausted, the gas limit is too low (more ' +
      'than 23 feeds need more than the 2^24 of some nodes), or the node supports no `eth_call` without `to` or lacks ' +
      'ArbSys, as a fork made by anvil does',
  },
  'malformed-result': {
    meaning: 'not what the program can return for these feeds',
    seenAs: "odd hex, a byte or row too few or too many, an impossible flag or size, bytes behind a feed's output",
    remedy: 'choose another provider: the node does not execute the call as the chain does',
  },
  'no-state': {
    meaning: 'no feed of a list has code; or the feed of one price has none, and not every endpoint returned the same',
    seenAs: 'a fork, a fresh or a pruned node',
    remedy: "choose a node with the chain's state",
  },
  'fewer-feeds': {
    meaning: 'read fewer feeds than the served reading; in `check-rpc`: no feed of the network can be read',
    seenAs:
      'a node that follows the chain, but does not execute calls as the chain does; in `check-rpc` also feeds that fail ' +
      'at every node',
    remedy:
      "compare with the chain's public URL: if it reads more feeds, this node does not execute the call as the chain " +
      'does, so use another provider; otherwise the feeds themselves fail',
  },
  'wrong-chain': {
    meaning: 'another chain id',
    seenAs: 'a URL of another network',
    remedy: 'use a URL of this network',
  },
  'old-head': {
    meaning: 'the block is older than the limit',
    seenAs: 'a node that stopped syncing',
    remedy: "compare with the chain's public URL: the node or the chain has stopped, or this machine's clock is ahead",
  },
  'future-head': {
    meaning: 'the block is more than 15 s ahead',
    seenAs: 'a wrong clock',
    remedy: "compare with the chain's public URL: the clock of the node, of the chain, or of this machine is wrong",
  },
  'parameter-store': {
    meaning: 'Parameter Store failed, or has no usable URLs while stale ones are served',
    seenAs: 'throttled, silent, denied, a broken parameter',
    remedy:
      'see whether AWS has an outage, and whether the function has credentials and a region; repair a parameter that ' +
      'has lost its URLs before new containers start',
  },
}
