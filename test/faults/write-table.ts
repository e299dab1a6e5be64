import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultCases } from './cases.ts'
import type { Expected, FaultCase } from './fault-case.ts'

/** Where the table is kept. */
export const tablePath = join(import.meta.dirname, '../../docs/faults.md')

/** Writes the cases as the page that `docs/` shows of them. */
export function toFaultTable(): string {
  const kinds = new Set(faultCases.map(({ kind }) => kind))
  const sections = [...kinds].map(kind =>
    toSection(
      kind,
      faultCases.filter(faultCase => faultCase.kind === kind),
    ),
  )
  return [introduction, ...sections].join('\n\n').concat('\n')
}

const introduction = `# What a sick node says

The ${faultCases.length} shapes in which an RPC endpoint has been seen to fail, or could, and what the service makes of each. A test plays
every one of them in front of a real node: alone, before a healthy endpoint, behind one, and for the list. Behind a healthy endpoint none is
ever asked. A fault's kind stands in the log alone: callers read one fixed sentence. The cases about a feed are no faults of an endpoint,
but what the chain itself says (D2); for one price a healthy endpoint overrules the word that a feed is unreadable, while a list takes the
first valid answer as it is (D24). Written by \`npx node test/faults/write-table.ts\` from the rows in \`test/faults/cases/\`.`

function toSection(kind: string, cases: readonly FaultCase[]): string {
  const title = `## ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  const rows = cases.map(({ name, expected, inList }) => [
    name,
    inList === undefined ? toAlone(expected) : `${toAlone(expected)}; in a list: ${toAlone(inList)}`,
    toWithHealthy(expected),
  ])
  const lines = [['The endpoint', 'Alone', 'Before a healthy one'], ['---', '---', '---'], ...rows].map(
    cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return [title, '', ...lines].join('\n')
}

function toAlone(expected: Expected): string {
  if (typeof expected === 'string') return `503 \`chain-unavailable\`, logged as \`${expected}\``
  if ('unreadable' in expected) return `502 \`feed-unreadable\`: ${expected.unreadable}`
  const fields = Object.entries(expected.record).map(([name, value]) => `\`${name}: ${JSON.stringify(value)}\``)
  return fields.length === 0 ? '200, the true record' : `200, with ${fields.join(', ')}`
}

function toWithHealthy(expected: Expected): string {
  const isRecord = typeof expected === 'object' && 'record' in expected
  return isRecord ? toAlone(expected) : '200, the true record'
}

if (import.meta.main) writeFileSync(tablePath, toFaultTable())
