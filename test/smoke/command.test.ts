import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { networks } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import { createClient } from '../../smoke/client.ts'
import { toPrintable } from '../../smoke/printable.ts'
import { handler } from '../../smoke/probe.ts'
import { main, parseOptions, run } from '../../smoke/smoke.ts'
import { startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { createClock } from '../support/smoke/clock.ts'

beforeEach(() => {
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test.each([
  [[]],
  [['api.example/v1']],
  [['ftp://api.example/v1']],
  [['https://api.example/v1?network=testnet']],
  [['https://me:secret@api.example/v1']],
  [['https://api.example/v1', 'https://api.example/v2']],
  [['--cache', 'https://api.example/v1']],
  [['--no-cache=1', 'https://api.example/v1']],
])('%j is a wrong command', args => {
  expect(parseOptions(args)).toBeUndefined()
})

test('the option and the URL are parsed', () => {
  const baseUrl = 'https://api.example/v1'
  expect(parseOptions(['HTTPS://API.example:443/v1//'])).toEqual({ baseUrl, hasCache: true })
  expect(parseOptions(['--no-cache', baseUrl])).toEqual({ baseUrl, hasCache: false })
})

const toObstacle = (url: string, found: string) =>
  `No Price Lookup responds at ${url}. The URL is the output BaseUrl of a stack, with its path. GET /openapi.json: ${found}.`

test.each([
  // No service listens at port 2. Another node could take the port of one that has stopped.
  [2, 'no response (ECONNREFUSED)'],
  [10_080, 'no response (bad port)'],
])('that port %i cannot be reached is one sentence with the reason, and exit code 1', async (port, reason) => {
  const url = `http://127.0.0.1:${port}/v1`
  expect(await run(createClient(url, createClock()), true)).toBe(1)
  expect(vi.mocked(console.error).mock.calls).toEqual([[toObstacle(url, reason)]])
})

test.each([404, 403, 307, 500])('a response %i to the first request ends the run', async code => {
  await using node = await startFaultyNode(status(code))
  expect(await run(createClient(node.url.origin, createClock()), true)).toBe(1)
  expect(vi.mocked(console.error).mock.calls).toEqual([[toObstacle(node.url.origin, `${code}`)]])
})

// The colour red by ESC and by C1's CSI, line breaks, a separator of lines, a text from right to left, and a mark of no width.
const hostile = '\u001b[31m\u009b31m\r\n\u0085\u2028\u202e\u2066\ufeff'
const escaped = '\\u001b[31m\\u009b31m\\u000d\\u000a\\u0085\\u2028\\u202e\\u2066\\ufeff'

/** The longest line that may be printed for a check. */
const maxLine = 720

/** What is never printed, besides the end of a line. */
const unprintable = /[^\P{C}\n]|\p{Zl}|\p{Zp}/u

test('control characters, line breaks and characters that reorder or hide text are printed as escapes', () => {
  expect(toPrintable(`a ü 価 ${hostile}\u{e0041}`)).toBe(`a ü 価 ${escaped}\\ue0041`)
})

/** Starts a service whose every word is hostile. Node sends no other control characters in a header. */
function startHostile() {
  return startFaultyNode(response => {
    response.writeHead(200, { 'Content-Type': 'text/\u009b31m', 'Access-Control-Allow-Origin': '\u009b31m' })
    const title = hostile.padEnd(20_000, 'x')
    response.end(JSON.stringify({ title, readAt: hostile, [hostile]: 1, feeds: [{ symbol: hostile, url: hostile }] }))
  })
}

test('what a server sends is printed with escapes, each check on a line, and the exit code is 1', async () => {
  await using node = await startHostile()
  expect(await run(createClient(node.url.origin, createClock()), false)).toBe(1)
  const [[printed] = []] = vi.mocked(console.log).mock.calls
  for (const shown of [`200 ${escaped}`, 'is \\u009b31m', `${escaped} is at`]) expect(printed).toContain(shown)
  expect(printed).not.toMatch(unprintable)
  for (const row of printed.split('\n').slice(2, -2)) {
    expect(row).toMatch(/^ {2}(passed|failed|noted ) /)
    expect(row.length).toBeLessThan(maxLine)
  }
})

test('the probe logs the checks that failed, with escapes, and fails', async () => {
  await using node = await startHostile()
  vi.stubEnv(variables.publicBaseUrl, node.url.origin)
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await expect(handler()).rejects.toThrow(`Checks that failed: ${networks.length + 4}`)
  const logged = warn.mock.calls.map(([{ check, detail }]) => `${check}: ${detail}`)
  expect(logged).toContainEqual(
    expect.stringContaining(`mainnet: GET /price lists the feeds: ${escaped} is at ${escaped}`),
  )
  expect(logged.join('')).not.toMatch(/\n|\p{Zl}|\p{Zp}|\p{C}/u)
})

test('the probe needs the URL', async () => {
  vi.stubEnv(variables.publicBaseUrl, undefined)
  await expect(handler()).rejects.toEqual(new Error('Missing the environment variable PUBLIC_BASE_URL.'))
})

test('a wrong command is exit code 2, and is not printed', async () => {
  expect(await main([`--${hostile}`])).toBe(2)
  expect(vi.mocked(console.error).mock.calls).toEqual([
    [expect.stringMatching(/^One URL is expected, .* The only option is --no-cache\. See --help\.$/)],
  ])
})
