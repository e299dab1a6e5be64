import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { account, environments } from '../../infra/environments.ts'
import { freshMs } from '../../lambda/timing.ts'
import {
  cacheMonth,
  edge,
  inspection,
  keys,
  listSurcharge,
  miss,
  refusal,
  registered,
  spellings,
  toAttacked,
  toMonth,
} from './costs.ts'
import { synthesise } from './synthesise.ts'

const guide = readFileSync('docs/operations.md', 'utf8')
const template = synthesise(environments.prod, 'prod')

const money = (amount = Number.NaN) =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const count = (amount: number) => amount.toLocaleString('en-US')
const sum = (costs: readonly number[]) => costs.reduce((all, cost) => all + cost, 0)

/** Returns the costs of a request of each method of an environment, of which 5 %, and all, are traced. */
function attacked(name: keyof typeof environments) {
  const of = synthesise(environments[name], name)
  return [toAttacked(of, 0.05), toAttacked(of, 1)] as const
}

/** Expects the guide's table with this heading to have these rows. */
function expectTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const rule = heading.map((_, index) => (index === 0 ? '---' : '---:'))
  const table = [heading, rule, ...rows].map(row => `| ${row.join(' | ')} |`)
  const lines = guide.split('\n')
  const begin = lines.indexOf(`| ${heading.join(' | ')} |`)
  expect(lines.slice(begin, lines.indexOf('', begin))).toEqual(table)
}

test('docs/operations.md has the costs of a month, within the budget', () => {
  const columns = [0, 1_000_000, 100_000_000]
  const months = columns.map(requests => toMonth(template, requests))
  const rows = Object.keys(months[0] ?? {}).map(name => [name, ...months.map(costs => money(costs[name]))])
  expectTable(
    ['$ a month, by requests', ...columns.map(count)],
    [...rows, ['**in all**', ...months.map(month => `**${money(sum(Object.values(month)))}**`)]],
  )
  const [idle, busy] = [0, 10_000_000].map(requests => sum(Object.values(toMonth(template, requests))))
  expect(account.monthlyBudgetUsd).toBeGreaterThan(2 * Number(idle) + Number(busy))
})

test('docs/operations.md has the costs of the worst day', () => {
  const atThrottle = (name: keyof typeof environments) => {
    const [methods, traced] = attacked(name)
    const { requestsPerSecond } = environments[name].throttling
    const requests = requestsPerSecond * 86_400
    return [
      `\`${name}\`: ${requestsPerSecond} a second of each of ${methods.length} methods`,
      count(methods.length * requests),
      count(methods.filter(({ isRead }) => isRead).length * requests),
      ...[methods, traced].map(of => money(sum(of.map(({ cost }) => cost * requests)))),
    ]
  }
  const { maxRequestsPerAddress } = environments.prod
  const ofOneAddress = maxRequestsPerAddress * 12 * 24
  const dearest = attacked('prod').map(of => Math.max(...of.map(({ cost }) => cost)))
  expectTable(
    ['the worst day', 'requests', 'of them reads', '$, 5 % traced', '$, all traced'],
    [
      atThrottle('dev'),
      atThrottle('staging'),
      atThrottle('prod'),
      [
        `one address, with \`maxRequestsPerAddress: ${maxRequestsPerAddress}\``,
        count(ofOneAddress),
        count(ofOneAddress),
        ...dearest.map(cost => money(ofOneAddress * cost)),
      ],
      [
        'each million refused beyond that',
        count(1_000_000),
        '0',
        ...[refusal, refusal].map(cost => money(1_000_000 * cost)),
      ],
    ],
  )
})

test('docs/operations.md has the costs of a miss and of the list', () => {
  expect(guide.replaceAll('\n', ' ')).toContain(
    `a million misses costs $${money(1_000_000 * miss)}, so the cache pays off beyond ${(cacheMonth / miss / 1_000_000).toFixed(1)} million hits`,
  )
  expect(guide).toContain(`$${money(1_000_000 * listSurcharge)} more per million`)
})

test('docs/operations.md has the reads of all prices, each once in ten seconds', () => {
  const symbols = registered.mainnet.feeds + registered.testnet.feeds
  expect(guide.replaceAll('\n', ' ')).toContain(
    `the ${symbols} prices of both networks need ${(1_000 * symbols) / freshMs} a second`,
  )
})

test('docs/operations.md has the costs of an edge', () => {
  expect(guide.replaceAll('\n', ' ')).toContain(
    `costs $${money(edge.month)} a month and $${money(1_000_000 * edge.request)} per million requests for one price, and the rate rule $${money(1_000_000 * inspection)} more`,
  )
})

test('docs/operations.md has the number of keys of the cache', () => {
  expect(guide).toContain(`${spellings} keys instead of ${keys}`)
})
