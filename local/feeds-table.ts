/** What the table takes of a list's entry; of one that cannot be read, there is a `problem` in the place of a record. */
interface Entry {
  readonly symbol: string
  readonly url: string
  readonly status?: string
  readonly price?: number | null
  readonly servesLatestRoundData?: boolean
  readonly latestRoundDataReverts?: string
  readonly problem?: { readonly title: string }
}

interface List {
  readonly network: string
  readonly chainId: number
  readonly block: number
  readonly feeds: readonly Entry[]
}

/** Formats the list that the service answers as a table for people. */
export function formatFeeds({ network, chainId, block, feeds }: List): string {
  const rows = [['SYMBOL', 'STATUS', 'PRICE', 'SERVED', 'URL'], ...feeds.map(toRow)]
  const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [`${network} (${chainId}), block ${block}`, '', ...lines.map(line => `  ${line}`), ''].join('\n')
}

function toRow({
  symbol,
  url,
  status,
  price,
  servesLatestRoundData,
  latestRoundDataReverts,
  problem,
}: Entry): string[] {
  const served = servesLatestRoundData ? 'yes' : (latestRoundDataReverts ?? 'no')
  return problem === undefined
    ? [symbol, status ?? '', price == null ? '-' : String(price), served, url]
    : [symbol, problem.title, '-', '-', url]
}
