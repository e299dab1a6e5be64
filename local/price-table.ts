import { defaultNetwork, type Network, networkFacts, networks, toQuery } from '../api/networks.ts'
import { priceList } from '../api/schemas/list.ts'
import { problemBody } from '../api/schemas/problem-body.ts'
import type { Sources } from './service.ts'

/**
 * Prints the prices of every network, or why there are none.
 *
 * @param interrupted ends it with an error, and nothing more is printed
 * @returns whether there are prices of the default network
 */
export async function printPrices(baseUrl: string, sources: Sources, interrupted: AbortSignal): Promise<boolean> {
  let isUp = false
  for (const network of networks) {
    const source = sources[network]
    const url = `${baseUrl}/price${toQuery(network)}`
    const response = await fetch(url, { signal: interrupted })
    const body: unknown = await response.json()
    const note = source === 'embedded' ? ': a local chain, invented prices' : ''
    console.log(
      response.ok ? formatList(body, note) : `GET ${url}\n${formatProblem(body)}\n${formatRemedy(network, source)}`,
    )
    if (network === defaultNetwork) isUp = response.ok
  }
  return isUp
}

function formatProblem(body: unknown): string {
  const { status, title, detail } = problemBody.parse(body)
  return `${status} ${title}: ${detail}`
}

/** Formats the command that finds what is wrong with RPC URLs. It has no URL that was given: one may hold a key. */
function formatRemedy(network: Network, source: Sources[Network]): string {
  if (source === 'embedded') return ''
  const rpcUrls = source === 'deployed' ? ` ${networkFacts[network].rpcUrl}` : ''
  return `Check its RPC URLs: npm run --silent check-rpc -- --network ${network}${rpcUrls}\n`
}

function formatList(body: unknown, note: string): string {
  const { network, chainId, block, feeds } = priceList.parse(body)
  const rows = feeds.map(entry => {
    if ('problem' in entry) return [entry.symbol, entry.problem.title, '-', '-']
    const { symbol, status, price, servesLatestRoundData, latestRoundDataReverts: reason } = entry
    return [symbol, status, `${price ?? '-'}`, formatServed(servesLatestRoundData, reason)]
  })
  const header = ['SYMBOL', 'STATUS', 'PRICE', 'SERVED']
  const table = [header, ...rows]
  const columns = header.map((_, column) => padCells(table.map(row => `${row[column]}`)))
  const lines = table.map((_, line) => `  ${columns.map(cells => cells[line]).join('  ')}`.trimEnd())
  return [`${network} (${chainId}), block ${block}${note}`, '', ...lines, ''].join('\n')
}

function formatServed(isServed: boolean, reason: string | undefined): string {
  if (isServed) return 'yes'
  return reason === undefined ? 'no' : `no: ${reason}`
}

/** Pads the cells of a column to one width. */
function padCells(cells: readonly string[]): readonly string[] {
  const width = Math.max(...cells.map(cell => cell.length))
  return cells.map(cell => cell.padEnd(width))
}
