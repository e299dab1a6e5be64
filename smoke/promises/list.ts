import { type Answer, formatOutcome, hasType } from '../answer.ts'
import { listFields, type Network, problemFields, unreadableFields } from '../contract.ts'
import { digitsOf, entriesOf, fieldsOf, findFieldFaults, formatJson, type Json, type JsonObject } from '../json.ts'
import { type Row, toRow, toUnseen } from '../report.ts'
import { findExplorerFaults, findRecordFaults } from './record.ts'

/** A network's list as it was answered. */
export interface List {
  readonly network: Network
  readonly answer: Answer
  /** Its entries; none when the answer is no list. */
  readonly entries: readonly JsonObject[]
}

/** Makes a list of what was answered. */
export function toList(network: Network, answer: Answer): List {
  const entries = answer.status === 200 ? entriesOf(fieldsOf(answer.body).get('feeds')) : []
  return { network, answer, entries: entries.map(fieldsOf) }
}

/** Gives an entry's symbol; an entry without one has an empty one. */
export function symbolOf(entry: JsonObject): string {
  const symbol = entry.get('symbol')
  return typeof symbol === 'string' ? symbol : ''
}

/** Checks a network's list: that it answers, its fields, its order, its block and its URLs. */
export function checkList(list: List, baseUrl: string): readonly Row[] {
  const { network, answer, entries } = list
  const name = (promise: string) => `${network.slug}: ${promise}`
  const isList = answer.status === 200 && entries.length > 0
  const answers = isList && hasType(answer, 'application/json') ? [] : [toFault(answer)]
  const rows: readonly (readonly [string, readonly string[], string])[] = [
    ['the list has the fields promised', findShapeFaults(list), `${entries.length} entries, in the contract’s order`],
    ['the list is in order of symbols, each once', findOrderFaults(entries), entries.map(symbolOf).join(' ')],
    ['the list is of one block', findBlockFaults(list), `block ${formatJson(fieldsOf(answer.body).get('block'))}`],
    ['the list’s URLs are below the base URL', findUrlFaults(list, baseUrl), `${baseUrl}/price/…${network.query}`],
  ]
  return [
    toRow(name('the list answers'), answers, `200, ${entries.length} feeds`),
    ...rows.map(([promise, faults, seen]) =>
      isList ? toRow(name(promise), faults, seen) : toUnseen(name(promise), 'there is no list'),
    ),
  ]
}

function toFault(answer: Answer): string {
  const type = answer.headers.get('content-type')
  return answer.status === 200 ? `200, but no list of feeds in JSON (${formatJson(type)})` : formatOutcome(answer)
}

function findShapeFaults({ network, answer, entries }: List): readonly string[] {
  const list = fieldsOf(answer.body)
  const own = [...findFieldFaults(list, listFields)]
  if (list.get('network') !== network.name) own.push(`network is ${formatJson(list.get('network'))}`)
  if (digitsOf(list.get('chainId')) !== network.chainId) own.push(`chainId is ${formatJson(list.get('chainId'))}`)
  return [
    ...own,
    ...entries.flatMap(entry => findEntryFaults(entry, network).map(fault => `${symbolOf(entry)} ${fault}`)),
  ]
}

function findEntryFaults(entry: JsonObject, network: Network): readonly string[] {
  if (!entry.has('problem')) {
    const last = [...entry.keys()].at(-1)
    const record = new Map([...entry].filter(([name]) => name !== 'url'))
    return [...(last === 'url' ? [] : ['does not end with its url']), ...findRecordFaults(record, network)]
  }
  const problem = fieldsOf(entry.get('problem'))
  const type = String(problem.get('type'))
  return [
    ...findFieldFaults(entry, unreadableFields),
    ...findFieldFaults(problem, problemFields),
    ...findExplorerFaults(entry),
    ...(type.endsWith(':feed-unreadable') ? [] : [`has a problem ${formatJson(type)}`]),
  ]
}

function findOrderFaults(entries: readonly JsonObject[]): readonly string[] {
  const symbols = entries.map(entry => symbolOf(entry).toLowerCase())
  const wrong = entries.filter((_, index) => index > 0 && (symbols[index - 1] ?? '') >= (symbols[index] ?? ''))
  return wrong.map(entry => `${symbolOf(entry)} is out of order`)
}

function findBlockFaults({ answer, entries }: List): readonly string[] {
  const list = fieldsOf(answer.body)
  const isOther = (entry: JsonObject, name: string) => toText(entry.get(name)) !== toText(list.get(name))
  return entries
    .filter(entry => !entry.has('problem') && ['block', 'readAt'].some(name => isOther(entry, name)))
    .map(entry => `${symbolOf(entry)} is of block ${formatJson(entry.get('block'))}`)
}

function findUrlFaults({ network, entries }: List, baseUrl: string): readonly string[] {
  return entries
    .filter(entry => entry.get('url') !== `${baseUrl}/price/${symbolOf(entry)}${network.query}`)
    .map(entry => `${symbolOf(entry)} is at ${formatJson(entry.get('url'))}`)
}

function toText(json: Json | undefined): string {
  return digitsOf(json) ?? formatJson(json)
}
