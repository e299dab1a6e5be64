import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { networks, ofEachNetwork } from '../../api/networks.ts'
import { type PriceRoute, priceRoutes } from '../../api/routes.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs } from '../../lambda/timing.ts'
import { startService } from '../../local/service.ts'

const help = `npm run load

Sends requests to the handlers in this process, while endpoints stop and restart. Fails on a wrong response, on an error
in the log, and on handlers that keep memory, connections or timers.

  --help   print this text

Exit code: 0 without a failure, 1 with one, 2 when the command is wrong.`

const args = process.argv.slice(2)
if (args.length > 0) {
  console.log(help)
  process.exit(['--help', '-h'].includes(args.join()) ? 0 : 2)
}

/** The requests to each route in one window. */
const perWindow = { PriceRecord: 1_200, PriceList: 400 }
/** The windows before the measurement, and during it. */
const windows = { warming: 2, measured: 6 }
/** The timer of an attempt keeps its memory until it fires. */
const quietMs = attemptMs + 500

/** The most that the handlers may keep per request: less than an error, a URL or a signal. */
const maxBytesPerRequest = 200
/** Each of two simultaneous requests needs one connection to each of four endpoints. */
const maxConnections = 8

/** Wrong statuses, errors in the log, and what is kept too much of. */
const failures: string[] = []
console.error = (...logged) => void failures.push(`A handler logged: ${inspect(logged)}`)

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

{
  await using service = await startService(ofEachNetwork(() => 'embedded'))
  const startAll = () => Promise.all(networks.map(network => startEndpoint(service.chains[network]?.rpcUrl ?? '')))
  /** Two of each network: first all that are asked first, then all that are asked second. */
  const endpoints = [await startAll(), await startAll()] as const
  for (const [index, network] of networks.entries()) {
    service.parameters.set(network, endpoints.map(ofNetworks => ofNetworks[index]?.url).join(' '))
  }
  const senders = priceRoutes.map(route => createSender(route, event => service.invoke(route, event)))
  const bytes: number[] = []
  for (let done = 1 - windows.warming; done <= windows.measured; done += 1) {
    await runWindow(endpoints, (share, isDown) => Promise.all(senders.map(send => send(share, isDown))))
    if (done < 0) continue
    await sleep(quietMs)
    const connections = endpoints.flat().reduce((sum, endpoint) => sum + endpoint.open.size, 0)
    if (connections > maxConnections) failures.push(`${connections} connections are open.`)
    if (process.getActiveResourcesInfo().includes('Timeout')) failures.push('A timer runs after the last response.')
    bytes.push(await measureBytes())
    console.log(`Window ${done}: ${Math.round((bytes.at(-1) ?? 0) / 1_024)} kB, ${connections} connections`)
  }
  const kept = toGrowth(bytes) / (perWindow.PriceRecord + perWindow.PriceList)
  console.log(`The handlers keep ${kept.toFixed(1)} bytes a request.`)
  if (kept > maxBytesPerRequest) failures.push(`The handlers keep ${kept.toFixed(1)} bytes of every request.`)
  await Promise.all(endpoints.flat().map(endpoint => endpoint.stop()))
}
console.log(failures.length === 0 ? 'No failure.' : `${failures.length} failures:\n${failures.slice(0, 10).join('\n')}`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Starts an endpoint that forwards to a node. It can be stopped, and started again at the same URL. */
async function startEndpoint(rpcUrl: string) {
  const open = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(Number(new URL(rpcUrl).port), '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const [socket, other] of [[near, far] as const, [far, near] as const])
      socket.on('error', () => {}).on('close', () => other.destroy())
    open.add(near)
    near.on('close', () => open.delete(near))
  })
  const start = async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const port = await start(0)
  const stop = async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, open, stop, restart: () => start(port) }
}

type Endpoints = readonly Awaited<ReturnType<typeof startEndpoint>>[]
type Invoke = (event: ReturnType<typeof toRequest>['event']) => Promise<{ statusCode: number; body: string }>

/** Sends a share of the requests after each stop and restart of the endpoints that are asked first, and second. */
async function runWindow(
  [first, second]: readonly [Endpoints, Endpoints],
  send: (share: number, isDown: boolean) => Promise<unknown>,
): Promise<void> {
  await Promise.all(first.map(endpoint => endpoint.stop()))
  await send(0.33, false)
  // A request without an endpoint pauses before its second round, so these are few.
  await Promise.all(second.map(endpoint => endpoint.stop()))
  await send(0.02, true)
  await Promise.all(first.map(endpoint => endpoint.restart()))
  await send(0.33, false)
  await Promise.all(second.map(endpoint => endpoint.restart()))
  await send(0.32, false)
}

/** Creates a function that sends requests one after another. While all endpoints are stopped, the valid ones are 503. */
function createSender({ path, body: kind }: PriceRoute, invoke: Invoke) {
  let sent = 0
  return async (share: number, isDown: boolean): Promise<void> => {
    for (const end = sent + share * perWindow[kind]; sent < end; sent += 1) {
      const { event, status } = toRequest(path, sent)
      const { statusCode, body } = await invoke(event)
      const expected = isDown && status === 200 ? 503 : status
      if (statusCode !== expected) failures.push(`GET ${path} is ${statusCode}: ${body}`)
    }
  }
}

/**
 * Converts a number to the event of a request, and its status while a node answers: for every network and feed in turn,
 * sometimes for an unknown network or symbol.
 *
 * No two unknown ones are equal, so that a function that keeps them grows.
 */
function toRequest(path: string, number: number) {
  const network = networks[number % networks.length] ?? 'mainnet'
  const feeds = feedsOf(network)
  const known = feeds[Math.floor(number / networks.length) % feeds.length]?.symbol ?? ''
  const isOfUnknownNetwork = number % 20 === 1
  const isOfUnknownFeed = path !== '/price' && number % 20 === 2
  const symbol = isOfUnknownFeed ? `NOPE${number}` : number % 3 === 0 ? known.toLowerCase() : known
  return {
    event: {
      httpMethod: 'GET',
      pathParameters: path === '/price' ? null : { symbol },
      queryStringParameters: { network: isOfUnknownNetwork ? `moon${number}` : network },
      requestContext: { domainName: 'prices.example', stage: 'v1' },
    },
    status: isOfUnknownNetwork ? 400 : isOfUnknownFeed ? 404 : 200,
  }
}

/** Returns the bytes of the heap, and of the buffers outside of it, after garbage collection. */
async function measureBytes(): Promise<number> {
  if (typeof collect !== 'function') throw new Error('Garbage cannot be collected')
  // Finalised objects are freed by the next collection, unused code after several.
  for (let times = 0; times < 12; times += 1) {
    collect()
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The median growth from one window to the next. A drop, when V8 discards unused code, must not hide a leak. */
function toGrowth(bytes: readonly number[]): number {
  const steps = bytes.slice(1).map((value, index) => value - (bytes[index] ?? value))
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Number.NaN
}
