import { defaultNetwork, networks, toQuery } from '../api/networks.ts'
import { problemDocument } from '../api/problem-document.ts'
import { priceList } from '../api/record.ts'
import { type LogLine, reportProblems } from './log.ts'
import { formatRpcFailure } from './rpc-failure.ts'
import type { Sources } from './sandbox.ts'

/**
 * Prints the prices of every network, or why there are none.
 *
 * @param takeLogged returns the lines that the functions have logged since the last call
 * @returns whether there are prices of the default network
 */
export async function printPrices(baseUrl: string, sources: Sources, takeLogged: () => LogLine[]): Promise<boolean> {
  let isUp = false
  for (const network of networks) {
    const source = sources[network]
    const url = `${baseUrl}/price${toQuery(network)}`
    const response = await fetch(url)
    const logged = takeLogged()
    const failure = response.ok ? undefined : formatRpcFailure(network, source, logged)
    if (failure === undefined) logged.forEach(reportProblems)
    const note = source === 'embedded' ? ': a local chain with invented prices' : ''
    const text = response.ok ? formatList(await response.json(), note) : formatProblem(url, await response.json())
    console.log(failure === undefined ? text : `${text}${failure}\n`)
    if (network === defaultNetwork) isUp = response.ok
  }
  return isUp
}

function formatProblem(url: string, body: unknown): string {
  const { status, title, detail } = problemDocument.parse(body)
  return `GET ${url}\n${status} ${title}: ${detail}\n`
}

/** Formats a network's list as a table. */
function formatList(body: unknown, note: string): string {
  const { network, chainId, block, feeds } = priceList.parse(body)
  const rows = feeds.map(entry => {
    const { symbol, url } = entry
    if ('problem' in entry) return [symbol, entry.problem.title, '-', '-', url]
    const { status, price, servesLatestRoundData, latestRoundDataReverts: reason } = entry
    const served = servesLatestRoundData ? 'yes' : reason === undefined ? 'no' : `no: ${reason}`
    return [symbol, status, `${price ?? '-'}`, served, url]
  })
  const table = [['SYMBOL', 'STATUS', 'PRICE', 'SERVED', 'URL'], ...rows]
  // The last column has no width.
  const widths = [0, 1, 2, 3].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)))
  const lines = table.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
  return [`${network} (${chainId}), block ${block}${note}`, '', ...lines, ''].join('\n')
}
