import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, formatOutcome, isSameRead, readAtMsOf, slugOf } from '../answer.ts'
import type { Client } from '../client.ts'
import { type Network, shownMs } from '../contract.ts'
import { digitsOf, fieldsOf, formatJson } from '../json.ts'
import type { Probe } from '../probe.ts'
import { type Row, toRow, toUnseen } from '../report.ts'
import { toPath } from './feeds.ts'

/** API Gateway promises no hit: it may forget, and an entry may just have ended. */
const maxTries = 4

/** How long after its 10 seconds an entry may be gone for sure. */
const marginMs = 1_500

/**
 * Checks that a path which was just asked is answered from the cache; or, of a stage without one, anew.
 *
 * @param first the answer that it had
 */
export async function checkReplay(client: Client, promise: string, first: Answer, caches: boolean): Promise<Row> {
  let last = first
  for (let tries = 0; tries < maxTries; tries += 1) {
    const next = await client.ask(first.path)
    if (readAtMsOf(next) === undefined) return toRow(promise, [formatOutcome(next)], '')
    const seen = `readAt ${formatReadAt(last)}, then ${formatReadAt(next)}`
    if (!caches) return toRow(promise, isSameRead(last, next) ? [`replayed: ${seen}`] : [], seen)
    if (isSameRead(last, next)) return toRow(promise, [], seen)
    last = next
  }
  return toRow(promise, [`${maxTries + 1} requests in a row were as many reads`], '')
}

/** Checks, 10 seconds after an answer came, that it is not answered again. */
export async function checkFresh(client: Client, promise: string, first: Answer): Promise<Row> {
  if (readAtMsOf(first) === undefined) return toUnseen(promise, formatOutcome(first))
  await sleep(Math.max(0, first.receivedAtMs + shownMs + marginMs - performance.now()))
  const later = await client.ask(first.path)
  if (readAtMsOf(later) === undefined) return toUnseen(promise, formatOutcome(later))
  const elapsed = ((later.receivedAtMs - first.receivedAtMs) / 1_000).toFixed(1)
  const seen = `${elapsed} s later: readAt ${formatReadAt(first)}, then ${formatReadAt(later)}`
  return toRow(promise, isSameRead(first, later) ? [`the same read ${elapsed} s later`] : [], seen)
}

/** Checks that a cached answer is not given for another network or another symbol. */
export async function checkKeys(client: Client, probe: Probe): Promise<readonly Row[]> {
  const { network, other, otherSymbol } = probe
  const [spelling = probe.symbol] = probe.spellings
  const price = await client.ask(toPath(spelling, other))
  const list = await client.ask(`/price${network.query}`)
  const otherList = await client.ask(`/price${other.query}`)
  const faults = [
    ...findMixtures(price, other).map(fault => `${toPath(spelling, other)} ${fault}`),
    ...findMixtures(list, network).map(fault => `/price${network.query} ${fault}`),
    ...findMixtures(otherList, other).map(fault => `/price${other.query} ${fault}`),
  ]
  const keyed = toRow('the network is in the cache’s key', faults, `${network.slug}, then ${other.slug}: price, list`)
  const promise = 'the symbol is in the cache’s key'
  if (otherSymbol === undefined) return [keyed, toUnseen(promise, 'there is one symbol alone')]
  const another = await client.ask(toPath(otherSymbol, network))
  const symbol = another.status === 200 ? fieldsOf(another.body).get('symbol') : otherSymbol
  const mixed = symbol === otherSymbol ? [] : [`${otherSymbol} was answered with ${formatJson(symbol)}`]
  return [keyed, toRow(promise, mixed, `${probe.symbol}, then ${otherSymbol}`)]
}

/** Says of which network an answer is; a 404 is of the network that lacks the symbol, and tells nothing. */
export function networkOf(answer: Answer): string {
  return digitsOf(fieldsOf(answer.body).get('chainId')) ?? slugOf(answer) ?? formatOutcome(answer)
}

function findMixtures(answer: Answer, network: Network): readonly string[] {
  const mixed = answer.status === 200 && networkOf(answer) !== network.chainId
  return mixed ? [`was answered of chain ${networkOf(answer)}`] : []
}

function formatReadAt(answer: Answer): string {
  const readAtMs = readAtMsOf(answer)
  return readAtMs === undefined ? formatOutcome(answer) : new Date(readAtMs).toISOString().slice(11)
}
