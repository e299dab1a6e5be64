import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { networks, ofEachNetwork } from '../../api/networks.ts'
import { priceRoutes } from '../../api/routes.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { startService as startLocal } from '../../local/service.ts'
import { startProxyNode } from '../support/chain/faulty-node.ts'

/**
 * Starts a process with the handler of each route, above local chains and endpoints that can be stopped.
 *
 * @param fail called with the errors that a handler logs
 */
export async function startService(fail: (failure: string) => void) {
  await using started = new AsyncDisposableStack()
  // It also sets the environment, which the processes inherit.
  const { chains, parameters } = started.use(await startLocal(ofEachNetwork(() => 'embedded')))
  const rpcUrls = networks.map(network => chains[network]?.rpcUrl ?? '')
  const startAll = () => Promise.all(rpcUrls.map(async rpcUrl => started.use(await startProxyNode(rpcUrl))))
  const endpoints = [await startAll(), await startAll()] as const
  for (const [index, network] of networks.entries()) {
    parameters.set(network, endpoints.map(nodes => nodes[index]?.url).join(' '))
  }
  const processes = new Map<string, ReturnType<typeof fork>>()
  for (const { path, handler } of priceRoutes) {
    const program = fileURLToPath(new URL('measured-process.ts', import.meta.url))
    // Small, so that a memory leak ends a process.
    const child = fork(program, [handler], {
      execArgv: ['--max-old-space-size=64'],
      stdio: ['ignore', 1, 'pipe', 'ipc'],
    })
    const log = child.stderr && text(child.stderr)
    await once(child, 'message')
    started.defer(async () => {
      child.disconnect()
      // Ends with the process. Node emits no `close` after a `disconnect` of the parent.
      const logged = await log
      if (logged) fail(`A handler logged: ${logged}`)
    })
    processes.set(path, child)
  }
  const running = started.move()
  return {
    /** Two of each network: first all that are asked first, then all that are asked second. */
    endpoints,
    /** Sends an event, or `measure`, to the process of a path. Returns its response. */
    async ask<Response>(path: string, message: object | 'measure'): Promise<Response> {
      const child = processes.get(path)
      if (child === undefined) throw new Error(`No handler is behind ${path}.`)
      child.send(message)
      const [response] = await once(child, 'message')
      return response
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Converts a number to the event of a request, and its status while a node answers: for every network and feed in turn,
 * sometimes for an unknown network or symbol.
 *
 * No two unknown ones are equal, so that a function that keeps them grows.
 */
export function toRequest(path: string, number: number) {
  const network = networks[number % networks.length] ?? 'mainnet'
  const feeds = feedsOf(network)
  const known = feeds[Math.floor(number / networks.length) % feeds.length]?.symbol ?? ''
  const isOfUnknownNetwork = number % 20 === 1
  const isOfUnknownFeed = path !== '/price' && number % 20 === 2
  const symbol = isOfUnknownFeed ? `NOPE${number}` : number % 3 === 0 ? known.toLowerCase() : known
  return {
    event: {
      ...plain,
      pathParameters: path === '/price' ? null : { symbol },
      queryStringParameters: { network: isOfUnknownNetwork ? `moon${number}` : network },
    },
    status: isOfUnknownNetwork ? 400 : isOfUnknownFeed ? 404 : 200,
  }
}

const plain: object = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
