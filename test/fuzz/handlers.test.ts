import { METHODS } from 'node:http'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { networks } from '../../api/networks.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { toCorrectResult } from '../support/chain/correct-node.ts'
import { canary, startFaultyNode, toReply } from '../support/chain/faulty-node.ts'
import { captureConsole, contextWith, listEvent, startStubbedStore } from '../support/container.ts'
import { expectDocumented } from '../support/contract/documented.ts'
import type { ValueOf } from '../support/fuzz/mutate-output.ts'
import { toRuns, toTimeoutMs } from '../support/fuzz/runs.ts'

const started = new AsyncDisposableStack()

const parameters = new Map<string, string>()
for (const network of networks) {
  const node = await startFaultyNode((response, body) => response.end(toReply(body, toCorrectResult(network, body))))
  parameters.set(network, started.use(node).url.href)
}
started.defer((await startStubbedStore(parameters)).stop)
captureConsole()

afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await started.disposeAsync()
})

const symbols = Object.values(registry).flatMap(feeds => feeds.map(({ symbol }) => symbol))
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(canary, `<script>${canary}</script>`, '__proto__', 'constructor', '', '%43RWD', 'CRWD '),
)
const anyRequest = fc.record({
  method: fc.constantFrom('GET', 'GET', 'HEAD', ...METHODS),
  /** Null for the list. */
  symbol: fc.oneof(fc.constant(null), fc.constantFrom(...symbols, ...symbols.map(text => text.toLowerCase())), anyText),
  query: fc.option(
    fc.dictionary(
      fc.oneof(fc.constantFrom('network', 'Network', 'symbol'), anyText),
      fc.oneof(fc.constantFrom(...networks), anyText),
    ),
  ),
})

/** The response by the decisions alone (D6, D7). */
function toExpected({ symbol, query }: ValueOf<typeof anyRequest>): number {
  const network = networks.find(name => name === (query?.['network'] || 'mainnet'))
  if (network === undefined) return 400
  const isServed = registry[network].some(feed => feed.symbol.toLowerCase() === symbol?.toLowerCase())
  return symbol === null || isServed ? 200 : 404
}

test(
  'any symbol, query and method get a documented response, without a text of the request',
  async () => {
    // Modules of its own: handlers and clients keep the settings with which another file loaded them.
    vi.resetModules()
    const { handler: getPrice } = await import('../../lambda/handlers/get-price.ts')
    const { handler: listPrices } = await import('../../lambda/handlers/list-prices.ts')
    const property = fc.asyncProperty(anyRequest, async request => {
      const { method: httpMethod, symbol, query: queryStringParameters } = request
      const pathParameters = symbol === null ? null : { symbol }
      const event = { ...listEvent, httpMethod, pathParameters, queryStringParameters }
      const response = await (symbol === null ? listPrices : getPrice)(event, contextWith())
      const { statusCode: status, headers = {}, body: text } = response
      // API Gateway passes on no other method.
      const method = httpMethod === 'HEAD' ? 'HEAD' : 'GET'
      expectDocumented({ method, path: symbol === null ? '/price' : '/price/SYMBOL', status, headers, text })
      expect(status).toBe(toExpected(request))
      expect(JSON.stringify(response)).not.toContain(canary)
    })
    await fc.assert(property, toRuns(5_000))
  },
  toTimeoutMs(5_000),
)
