import { type Answer, formatAnswer, formatOutcome, hasType, slugOf } from '../answer.ts'
import type { Client } from '../client.ts'
import type { Network } from '../contract.ts'
import { fieldsOf, formatJson, type JsonObject } from '../json.ts'
import { type Row, toRow, toUnseen } from '../report.ts'
import { type List, symbolOf } from './list.ts'
import { checkNumbers } from './numbers.ts'
import { findRecordFaults } from './record.ts'

/** Asks every feed of a network at its own URL, and one in another case. */
export async function checkFeeds(client: Client, list: List): Promise<readonly Row[]> {
  const { network, entries } = list
  const promises = ['every feed answers at its URL', 'every number is exact', 'a symbol is taken in any case']
  const [answering = '', exact = '', anyCase = ''] = promises.map(promise => `${network.slug}: ${promise}`)
  const [first] = entries
  if (first === undefined) return [answering, exact, anyCase].map(row => toUnseen(row, 'there is no list'))
  const answers = await Promise.all(
    entries.map(async entry => [entry, await client.ask(toPath(symbolOf(entry), network))] as const),
  )
  const records = answers
    .filter(([, { status }]) => status === 200)
    .map(([entry, { body }]) => ({ name: symbolOf(entry), record: fieldsOf(body) }))
  const listed = entries
    .filter(entry => !entry.has('problem'))
    .map(entry => ({ name: `${symbolOf(entry)} in the list`, record: entry }))
  const faults = answers.flatMap(([entry, answer]) => findFeedFaults(entry, answer, network))
  return [
    toRow(answering, faults, countOutcomes(answers.map(([, answer]) => answer))),
    checkNumbers(exact, [...records, ...listed]),
    await checkCase(client, anyCase, first, network),
  ]
}

/** Gives the path of a feed's price. */
export function toPath(symbol: string, network: Network): string {
  return `/price/${encodeURIComponent(symbol)}${network.query}`
}

/** Says what is wrong with a feed's own answer, beside its entry in the list. */
function findFeedFaults(entry: JsonObject, answer: Answer, network: Network): readonly string[] {
  const symbol = symbolOf(entry)
  if (answer.status !== 200) {
    const isListed = answer.status === 502 && slugOf(answer) === 'feed-unreadable' && entry.has('problem')
    return isListed ? [] : [formatAnswer(answer)]
  }
  const record = fieldsOf(answer.body)
  const differing = ['symbol', 'feed', 'token'].find(name => record.get(name) !== entry.get(name))
  const faults = [
    ...(hasType(answer, 'application/json') ? [] : ['is no application/json']),
    ...(differing === undefined ? [] : [`is answered with the ${differing} ${formatJson(record.get(differing))}`]),
    ...findRecordFaults(record, network),
  ]
  return faults.map(fault => `${symbol} ${fault}`)
}

async function checkCase(client: Client, promise: string, entry: JsonObject, network: Network): Promise<Row> {
  const symbol = symbolOf(entry)
  const other = symbol === symbol.toLowerCase() ? symbol.toUpperCase() : symbol.toLowerCase()
  const answer = await client.ask(toPath(other, network))
  const isSame = answer.status === 200 && fieldsOf(answer.body).get('symbol') === symbol
  const isUnreadable = slugOf(answer) === 'feed-unreadable' && entry.has('problem')
  return toRow(promise, isSame || isUnreadable ? [] : [formatAnswer(answer)], `${other} is ${symbol}`)
}

function countOutcomes(answers: readonly Answer[]): string {
  const outcomes = Map.groupBy(answers, formatOutcome)
  return [...outcomes].map(([outcome, same]) => `${same.length} × ${outcome}`).join(', ')
}
