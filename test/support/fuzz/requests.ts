import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { canary } from '../chain/faulty-node.ts'

/** A request on the wire, without a body. */
export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly version: '1.0' | '1.1'
  readonly headers: readonly (readonly [name: string, value: string])[]
}

const symbols = Object.values(registry).flatMap(feeds => feeds.map(({ symbol }) => symbol))
const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(char => char !== '#')
const text = fc.string({ unit: fc.constantFrom(...visible), maxLength: 12 })
const unusual = fc.oneof(
  text,
  fc.constantFrom(canary, `${canary}%2F`, '%00', '%', '%zz', '..', '.', '%2e%2e'),
  fc.constantFrom('__proto__', 'constructor', 'toString', '%C3%A9', '%ff', "'--", '{symbol}', '%43RWD', 'CRWD%20'),
  fc.constantFrom(`<script>${canary}</script>`, 'x'.repeat(10_000)),
)

const symbol = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...symbols) },
  fc.constantFrom(...symbols).map(text => text.toLowerCase()),
  unusual,
)
const path = fc.oneof(
  { weight: 5, arbitrary: symbol.map(text => `/v1/price/${text}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('/v1/price', '/v1/price/', '/v1/price//', '/v1', '/', '//v1/price', '/v1//price'),
  },
  fc.constantFrom(
    '/v1/',
    '/v1//',
    '/v1/openapi.json',
    '/v1/openapi.json/',
    '/openapi.json',
    '/v1/docs',
    '/v1/docs/',
    '/v1/Docs',
  ),
  fc.array(unusual, { maxLength: 4 }).map(parts => `/${parts.join('/')}`),
  fc.array(unusual, { maxLength: 2 }).map(parts => `/v1/price/${parts.join('/')}`),
  fc.constantFrom('*', `http://${canary}.example/v1/price`, '/prod/price', '/V1/price', '/v1/Price', '/v1/price;a=b'),
)
const name = fc.oneof(
  fc.constantFrom('network', 'network', 'Network', 'symbol', 'network[]', '%6eetwork', canary),
  unusual,
)
const value = fc.oneof(
  fc.constantFrom('mainnet', 'testnet', 'testnet', 'Testnet', '', canary, 'mainnet%20', '%74estnet'),
  unusual,
)
const pair = fc.tuple(name, fc.constantFrom('=', '=', '=', '', '=='), value).map(parts => parts.join(''))
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', '', '?network=mainnet', '?network=testnet', '?') },
  fc
    .tuple(fc.array(pair, { maxLength: 4 }), fc.constantFrom('&', '&', ';', '?', '&&'))
    .map(([all, by]) => `?${all.join(by)}`),
)

/** Headers that frame a message or switch the protocol, and so affect the caller's own connection. */
const framing =
  /^(connection|content-length|transfer-encoding|expect|upgrade|host|trailer|te|keep-alive|http2-settings)$/i
const headerName = fc
  .oneof(
    fc.constantFrom('Origin', 'Accept', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'Cookie', 'Via'),
    fc.constantFrom('Content-Type', 'Range', 'If-None-Match', 'Cache-Control', 'User-Agent', 'Authorization'),
    fc.constantFrom('X-HTTP-Method-Override', '__proto__'),
    fc.string({ unit: fc.constantFrom(...'abXY-_.!|~09'), minLength: 1, maxLength: 12 }),
  )
  .filter(text => !framing.test(text))
const headerValue = fc.oneof(
  fc.constantFrom(canary, `https://${canary}.example`, `${canary}, *`, '', 'application/json; charset=utf-8'),
  fc.constantFrom('null', 'no-cache', 'max-age=0', 'bytes=0-1', 'text/plain', 'é'),
  fc.string({ unit: fc.constantFrom(...visible, ' ', '\t', 'ÿ'), maxLength: 40 }).map(text => text.trim()),
)
const methods = METHODS.filter(method => method !== 'CONNECT')

/** Requests that HTTP allows, most of them similar to a valid one. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc.record({
  method: fc.oneof({ weight: 6, arbitrary: fc.constant('GET') }, fc.constant('OPTIONS'), fc.constantFrom(...methods)),
  target: fc
    .tuple(path, query)
    .map(parts => parts.join('').slice(0, 12_000))
    // The local gateway redirects it, and API Gateway does not.
    .filter(target => !/^\/\??$/.test(target)),
  version: fc.constantFrom('1.1', '1.1', '1.0'),
  headers: fc
    .tuple(
      fc.constantFrom('localhost', `${canary}.example`, `${canary}:443`).map(host => ['Host', host] as const),
      fc.array(fc.tuple(headerName, headerValue), { maxLength: 5 }),
    )
    .map(([host, rest]) => [host, ['Connection', 'close'], ...rest]),
})

/** Writes a request, one byte for each character. */
export function writeRequest({ method, target, version, headers }: RawRequest): string {
  const lines = headers.map(([key, text]) => `${key}: ${text}`)
  return [`${method} ${target} HTTP/${version}`, ...lines, '', ''].join('\r\n')
}

/** Sends bytes on a new connection, and returns what is received until the server closes it. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  socket.write(Buffer.from(bytes, 'latin1'))
  await once(socket, 'close')
  return Buffer.concat(parts).toString('latin1')
}
