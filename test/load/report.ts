import type { Memory } from './memory.ts'
import type { Traffic } from './traffic.ts'

/**
 * What a container may keep of a request: less than it takes to keep an error, a URL or a signal of each. The measure itself strays by a
 * tenth of a megabyte, and code goes on settling, which together is a third of this over the fewest requests that are measured.
 */
const maxBytesPerRequest = 200
/** Two containers that ask one after another need one connection to each of four endpoints. */
const maxConnections = 8

/** Prints what was seen of the traffic. */
export function reportTraffic({ callers, counts, thirds, tookMs }: Traffic): void {
  const requests = thirds.reduce((sum, third) => sum + third.tookMs.length, 0)
  console.log(`${requests} requests by ${callers} callers in ${(tookMs / 1_000).toFixed(1)} s`)
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

/** Prints what the containers held. */
export function reportMemory({ points, connections }: Memory, complain: (what: string) => void): void {
  console.table(
    points.map(({ path, requests, measure }) => ({
      function: `GET ${path}`,
      requests,
      'heap kB': Math.round(measure.heapBytes / 1_024),
      'buffers kB': Math.round(measure.bufferBytes / 1_024),
      'kept busy by': measure.resources.join(' '),
    })),
  )
  console.log(`Connections kept to endpoints, each time: ${connections.join(', ')}`)
  if (Math.max(...connections) > maxConnections) complain(`${Math.max(...connections)} connections were open.`)
  for (const [path, held] of Map.groupBy(points, point => point.path)) {
    const slope = toSlope(held.map(({ requests, measure }) => [requests, measure.heapBytes + measure.bufferBytes]))
    console.log(`GET ${path} keeps ${slope.toFixed(1)} bytes a request`)
    if (slope > maxBytesPerRequest) complain(`GET ${path} keeps ${slope.toFixed(1)} bytes of every request.`)
    const kinds = new Set(held.flatMap(({ measure }) => measure.resources))
    // The port is how this machine's containers are spoken to. A connection that waits to be used keeps nothing busy.
    kinds.delete('MessagePort')
    if (kinds.size > 0) complain(`GET ${path} is kept busy by ${[...kinds].join(', ')} when all is answered.`)
  }
}

/** Gives the slope of the line that is nearest to the points. */
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
