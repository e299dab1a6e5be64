import { afterAll, expect, test } from 'vitest'
import { createCommands } from '../support/local/command.ts'

const commands = createCommands()
afterAll(() => commands.stop())

test('npm start serves both networks with invented prices, until Ctrl-C (D28)', async () => {
  const { child, ended, until } = commands.start('npm', ['start', '--', '--port', '0'], { detached: true })
  const printed = await until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
  expect(printed.trimEnd().split('\n').at(-1)).toBe(`Price Lookup is running. Ctrl-C stops it. Open ${baseUrl}/`)
  expect(printed).toMatch(/^Robinhood Chain \(4663\), block \d+: a local chain with invented prices$/m)
  expect(printed).toMatch(/^Robinhood Chain Testnet \(46630\), block \d+: a local chain with invented prices$/m)
  expect(await (await fetch(`${baseUrl}/`)).text()).toContain('<title>Price Lookup</title>')
  expect(printed).toContain(`  curl ${baseUrl}/price/CRWD\n`)
  expect(printed).not.toMatch(/^GET /m)
  expect(printed).toMatch(/^ {2}CRWD +Market closed +1079\.9 +yes$/m)
  expect(printed).toMatch(/^ {2}SNAP +No data +- +no: FeedUnavailable$/m)
  expect(printed).toMatch(/^ {2}labTSLA +Straddle +1290\.51 +no: FeedUnavailable$/m)
  expect(await (await fetch(`${baseUrl}/price/crwd`)).json()).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  const pids = commands.family(child.pid)
  // npm, node, and two nodes with their watchers.
  expect(pids.length).toBeGreaterThan(3)
  // The terminal sends it to npm and to node. npm forwards it to node, which the second one ends if it arrives in the
  // moment in which node exits: then there is no code.
  process.kill(-(child.pid ?? 0), 'SIGINT')
  const { code, complained } = await ended
  expect([0, null]).toContain(code)
  expect(complained).not.toContain('Error')
  await commands.expectNothingLeft(pids)
})
