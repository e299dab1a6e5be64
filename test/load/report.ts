import type { Memory } from './memory.ts'
import type { Traffic } from './traffic.ts'

/**
 * The most that a container may keep per request: less than an error, a URL or a signal. The measure varies by 0.1 MB, a third of this limit
 * over the smallest number of measured requests.
 */
const maxBytesPerRequest = 200
/** Each of two containers needs one connection to each of four endpoints. */
const maxConnections = 8

/** Prints the results of the traffic. */
export function reportTraffic({ clients, counts, thirds, tookMs }: Traffic): void {
  const requests = thirds.reduce((sum, third) => sum + third.tookMs.length, 0)
  console.log(`${requests} requests by ${clients} clients in ${(tookMs / 1_000).toFixed(1)} s`)
  console.table(Object.fromEntries([...counts].toSorted()))
  console.table(
    thirds.map(third => ({
      third: third.name,
      'median ms': quantile(third.tookMs, 0.5).toFixed(1),
      '99 % ms': quantile(third.tookMs, 0.99).toFixed(1),
      'longest ms': quantile(third.tookMs, 1).toFixed(1),
      'RSS MB': Math.round(quantile(third.rssMb, 0.5)),
      'mainnet rpc-1, rpc-2': third.requests[0]?.join(', '),
      'testnet rpc-1, rpc-2': third.requests[1]?.join(', '),
    })),
  )
}

/** Prints the memory of the containers. */
export function reportMemory({ points, connections }: Memory, fail: (failure: string) => void): void {
  console.table(
    points.map(({ path, requests, measure }) => ({
      function: `GET ${path}`,
      requests,
      'heap kB': Math.round(measure.heapBytes / 1_024),
      'buffers kB': Math.round(measure.bufferBytes / 1_024),
      'kept alive by': measure.resources.join(' '),
    })),
  )
  console.log(`Open connections to endpoints, after each window: ${connections.join(', ')}`)
  if (Math.max(...connections) > maxConnections) fail(`${Math.max(...connections)} connections are open.`)
  for (const [path, held] of Map.groupBy(points, point => point.path)) {
    const slope = toSlope(held.map(({ requests, measure }) => [requests, measure.heapBytes + measure.bufferBytes]))
    console.log(`GET ${path} keeps ${slope.toFixed(1)} bytes a request`)
    if (slope > maxBytesPerRequest) fail(`GET ${path} keeps ${slope.toFixed(1)} bytes of every request.`)
    const kinds = new Set(held.flatMap(({ measure }) => measure.resources))
    // The local runtime talks to its containers through a port. An idle connection does not keep the event loop alive.
    kinds.delete('MessagePort')
    if (kinds.size > 0) fail(`GET ${path} is kept alive by ${[...kinds].join(', ')} after its last response.`)
  }
}

/** The slope of the least-squares line through the points. */
function toSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)))
  return covariance / mean(points.map(([x]) => (x - meanX) ** 2))
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
}
