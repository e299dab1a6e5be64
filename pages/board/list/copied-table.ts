import type { Entry, ExactList } from '../data/responses.ts'
import { toStatus } from '../data/verdict.ts'

/** Exact numbers, with a point, which spreadsheets of many countries take for a separator of thousands. */
const numbers = ['price', 'sharePrice', 'multiplier'] as const
const ofRecord = [...numbers, 'observedAtIso'] as const
const ofRead = ['network', 'block', 'readAt'] as const

/**
 * Formats feeds of a list as tab-separated text, and as HTML in which the numbers are independent of the language of the
 * spreadsheet: the names of the columns, then each feed with every digit that the API wrote.
 *
 * @param isInvented whether the list is of a local chain, which a last column states
 */
export function formatTable(list: ExactList, feeds: readonly Entry[], isInvented: boolean) {
  const columns = ['symbol', 'name', 'status', 'served', ...ofRecord, ...ofRead, ...(isInvented ? ['values'] : [])]
  const rows = feeds.map(entry => {
    const record = (['servesLatestRoundData', ...ofRecord] as const).map(name =>
      entry.problem === undefined ? entry[name] : null,
    )
    const read = ofRead.map(name => list[name])
    return [entry.symbol, entry.name, toStatus(entry), ...record, ...read, ...(isInvented ? ['invented'] : [])]
  })
  const cells = [columns, ...rows].map(row => row.map(cell => String(cell ?? '').replaceAll(/\s+/g, ' ')))
  const toCell = (cell: string, index: number) => {
    const isNumber = numbers.some(name => name === columns[index]) && /^\d/.test(cell)
    const escaped = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return `<td${isNumber ? ` x:num="${cell}"` : ''}>${escaped}</td>`
  }
  const html = cells.map(row => `<tr>${row.map(toCell).join('')}</tr>`).join('')
  return {
    text: cells.map(row => row.join('\t')).join('\n'),
    html: `<table xmlns:x="urn:schemas-microsoft-com:office:excel">${html}</table>`,
  }
}
