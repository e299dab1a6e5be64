import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'

/** The result of one part. */
export interface Section {
  readonly title: string
  readonly tables: readonly Table[]
  /** The sentences below the tables. */
  readonly notes: readonly string[]
}

/** Rows of text. The first cell of a row is its name. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Formats the machine, its load and the versions that the figures depend on. */
export async function formatMachine(): Promise<string> {
  const versions = ['@aws-sdk/client-ssm', '@middy/core', 'viem', 'esbuild', '@foundry-rs/anvil'].map(async name => {
    const text = await readFile(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')
    const { version }: { version: string } = JSON.parse(text)
    return `${name} ${version}`
  })
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  return [
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${memoryGb} GB, ${process.platform} ${process.arch}, load average ${loadavg()[0]?.toFixed(1)};`,
    `Node ${process.versions.node}; ${(await Promise.all(versions)).join(', ')}. ${new Date().toISOString().slice(0, 10)}.`,
  ].join(' ')
}

/** Formats a part as Markdown. Tables are aligned, so that they are readable as plain text. */
export function formatSection({ title, tables, notes }: Section): string {
  const list = notes.map(note => `- ${note.replace(/(.{1,118})(?: |$)/g, '$1\n  ').trimEnd()}`).join('\n')
  return `${[`### ${title}`, ...tables.map(formatTable), list].join('\n\n')}\n`
}

function formatTable({ columns, rows }: Table): string {
  const widths = columns.map((column, at) => Math.max(column.length, 3, ...rows.map(row => row[at]?.length ?? 0)))
  const [first = 0, ...rest] = widths
  const rule = `|${'-'.repeat(first + 2)}|${rest.map(width => `${'-'.repeat(width + 1)}:|`).join('')}`
  const pad = (cell: string, at: number) => (at === 0 ? cell.padEnd(first) : cell.padStart(widths[at] ?? 0))
  const formatRow = (cells: readonly string[]) => `| ${columns.map((_, at) => pad(cells[at] ?? '', at)).join(' | ')} |`
  return [formatRow(columns), rule, ...rows.map(formatRow)].join('\n')
}

/** Returns the median of measurements. */
export function median(measured: readonly number[]): number {
  return quantile(measured, 0.5)
}

function quantile(measured: readonly number[], share: number): number {
  const sorted = measured.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}

/** Formats measurements as their median and quartiles, which a few outliers do not change. */
export function formatSpread(measured: readonly number[], digits: number): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map(share => quantile(measured, share).toFixed(digits))
  return `${middle} (${low} – ${high})`
}

/** Formats how many times one figure is another. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)} ×`
}

/** Formats a ratio beside its target. */
export function formatTarget(ratio: number, atMost: number): string {
  return `${formatRatio(ratio)} (at most ${atMost}: ${ratio <= atMost ? 'met' : 'missed'})`
}

/** Formats a whole number with separated thousands. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
