/** What one part of the measurements came to. */
export interface Section {
  readonly title: string
  readonly tables: readonly Table[]
  /** What a reader must know to read the tables right. */
  readonly notes: readonly string[]
}

/** Rows of text under columns, of which the first says what a row is about. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Writes a part as Markdown, aligned so that it reads as plain text too. */
export function formatSection({ title, tables, notes }: Section): string {
  const blocks = [`## ${title}`, ...tables.map(formatTable), ...notes.map(note => wrap(`- ${note}`))]
  return `${blocks
    .join('\n\n')
    .replace(/\n\n- /g, '\n- ')
    .replace(/\|\n- /g, '|\n\n- ')}\n`
}

/** Says how a figure stands to its target. */
export function formatTarget(ratio: number, atMost: number): string {
  return `≤ ${atMost}: ${ratio <= atMost ? 'met' : 'missed'}`
}

/** Writes a whole number with its thousands apart. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

/** Writes how many times one figure is another. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)} ×`
}

function formatTable({ columns, rows }: Table): string {
  const widths = columns.map((column, at) => Math.max(column.length, 3, ...rows.map(row => row[at]?.length ?? 0)))
  const [first = 0, ...others] = widths
  const rule = `|${'-'.repeat(first + 2)}|${others.map(width => `${'-'.repeat(width + 1)}:|`).join('')}`
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (at === 0 ? (cells[at] ?? '').padEnd(width) : (cells[at] ?? '').padStart(width))).join(' | ')} |`
  return [line(columns), rule, ...rows.map(line)].join('\n')
}

function wrap(text: string): string {
  return text.replace(/(.{1,118})(?: |$)/g, '$1\n  ').trimEnd()
}
