import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from '../../smoke/client.ts'
import { toPrintable } from '../../smoke/printable.ts'
import { handler } from '../../smoke/probe.ts'
import { mainnet } from '../../smoke/record.ts'
import { main, run } from '../../smoke/smoke.ts'
import { startFaultyNode } from '../support/chain/faulty-node.ts'
import { createClock } from '../support/smoke/clock.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

// The colour red by ESC and by C1's CSI, line breaks, a separator of lines, a text from right to left, and a mark of no width.
const hostile = '\u001b[31m\u009b31m\r\n\u0085\u2028\u202e\u2066\ufeff'
const escaped = '\\u001b[31m\\u009b31m\\u000d\\u000a\\u0085\\u2028\\u202e\\u2066\\ufeff'

/** Node sends no other control characters in a header or a status text. */
const [ofHeader, escapedOfHeader] = ['\u009b31m\u0085', '\\u009b31m\\u0085']

/** What is never printed, besides the end of a line. */
const unprintable = /[^\P{C}\n]|\p{Zl}|\p{Zp}/u

test('control characters, line breaks and characters that reorder or hide text are printed as escapes', () => {
  expect(toPrintable(`a ü 価 ${hostile}\u{e0041}`)).toBe(`a ü 価 ${escaped}\\ue0041`)
})

interface Service {
  /** The second network of its description. */
  readonly network?: string
  /** What it responds to every other request. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** A schema of its description. */
  readonly schema?: object
}

function startService({ network = 'testnet', status = 200, headers = {}, body = {}, schema = {} }: Service) {
  const description = {
    paths: { '/price': { get: { responses: { 200: { content: {} } } } } },
    components: {
      parameters: { Network: { schema: { enum: [mainnet.slug, network], default: mainnet.slug } } },
      schemas: { NetworkName: { enum: [mainnet.name] }, ChainId: { enum: [Number(mainnet.chainId)] }, ...schema },
    },
  }
  return startFaultyNode(response => {
    response.statusMessage = ofHeader
    if (response.req.url === '/openapi.json') return response.end(JSON.stringify(description))
    return response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
}

test.each<[place: string, service: Service, printed: string]>([
  ['the title of a problem', { status: 503, body: { title: hostile } }, `503 ${escaped}`],
  ['a header', { headers: { Vary: 'Origin', 'Access-Control-Allow-Origin': ofHeader } }, `"${escapedOfHeader}"`],
  ['a content type', { headers: { 'Content-Type': `text/${ofHeader}` } }, `not described as text/${escapedOfHeader}`],
  ['the name of a field', { body: { [hostile]: 1, feeds: [{}] } }, `its fields are ${escaped} feeds`],
  ['a text in a list', { body: { feeds: [{ symbol: hostile }] } }, `${escaped}: `],
  ['a network of the description', { network: hostile }, `  ${escaped}: GET /price lists the feeds`],
  ['a reference of the description', { schema: { X: { $ref: hostile, type: 'x' } } }, `${escaped} has siblings`],
])('%s with control characters is printed with escapes', async (_, service, shown) => {
  await using node = await startService(service)
  const log = vi.spyOn(console, 'log').mockReturnValue()
  expect(await run(createClient(node.url.origin, createClock()), false)).toBe(1)
  const [[printed] = []] = log.mock.calls
  expect(printed).toContain(shown)
  expect(printed).not.toMatch(unprintable)
  for (const row of printed.split('\n').slice(2, -2)) expect(row).toMatch(/^ {2}(passed|failed|skipped) /)
})

test('the probe logs the names and the details of checks with escapes', async () => {
  await using node = await startService({ network: hostile, status: 503, body: { title: hostile } })
  vi.stubEnv('PUBLIC_BASE_URL', node.url.origin)
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await expect(handler()).rejects.toThrow('Checks that failed')
  const logged = warn.mock.calls.flatMap(([{ check, detail }]) => [check, detail])
  expect(logged).toContain(`${escaped}: GET /price lists the feeds`)
  expect(logged).toContain(`GET /price: 503 ${escaped}`)
  expect(logged.join('')).not.toMatch(/\n|\p{Zl}|\p{Zp}|\p{C}/u)
})

test('a wrong command is one sentence, with escapes, and exit code 2', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  expect(await main([`--${hostile}`])).toBe(2)
  expect(error.mock.calls).toEqual([[expect.stringContaining(`Unknown option '--${escaped}'`)]])
})
