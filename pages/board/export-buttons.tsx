import { CopyButton } from './copyable.tsx'
import type { ShownEntry, ShownList } from './price-response.ts'
import { formatCsv, formatTsv, toHeaderRows, toRows } from './table-text.ts'

interface ExportButtonsProps {
  /** Undefined until it is loaded. */
  readonly list: ShownList | undefined
  readonly network: string
  /** The feeds of the list that the view shows, in its order. */
  readonly shown: readonly ShownEntry[]
  /** The names of the registered feeds by symbol. */
  readonly names: Readonly<Record<string, string>>
}

/** Two buttons: one copies the shown rows for a spreadsheet, the other downloads them. */
export function ExportButtons({ list, network, shown, names }: ExportButtonsProps) {
  const isEmpty = list === undefined || shown.length === 0
  const toTable = () => (list === undefined ? [] : [...toHeaderRows(list), ...toRows(shown, names)])
  return (
    <span class="export">
      <CopyButton
        what="table"
        label="Copy table"
        disabled={isEmpty}
        findElement={() => document.querySelector('#rows')}
        toText={() => formatTsv(toTable())}
      />
      <button
        type="button"
        class="copy"
        disabled={isEmpty}
        onClick={() => download(`prices-${network}-${list?.block}.csv`, formatCsv(toTable()))}
      >
        Download CSV
      </button>
    </span>
  )
}

/** The browser reads the text before its URL is revoked, after this time. */
const revokeMs = 10_000

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), revokeMs)
}

/** Copies a selection of several cells as one line for each of its rows. A part of one cell is copied as it is. */
export function copyRows(event: ClipboardEvent, { shown, names }: Pick<ExportButtonsProps, 'shown' | 'names'>): void {
  const selection = getSelection()
  if (selection === null || selection.rangeCount === 0) return
  const range = selection.getRangeAt(0)
  const cells = [...document.querySelectorAll('#rows > tr > *')].filter(cell => hasSelectedText(cell, range))
  if (cells.length < 2) return
  const symbols = new Set(cells.map(cell => cell.parentElement?.querySelector('[data-feed]')?.textContent))
  const selected = shown.filter(({ symbol }) => symbols.has(symbol))
  // Without a list, the rows are symbols alone, and are copied as they are.
  if (selected.length === 0) return
  event.clipboardData?.setData('text/plain', formatTsv(toRows(selected, names)))
  event.preventDefault()
}

/** Whether a range has text of an element. A selection by three clicks ends at the start of the next cell, without its text. */
function hasSelectedText(element: Element, range: Range): boolean {
  const part = document.createRange()
  part.selectNodeContents(element)
  if (part.compareBoundaryPoints(Range.START_TO_START, range) < 0)
    part.setStart(range.startContainer, range.startOffset)
  if (part.compareBoundaryPoints(Range.END_TO_END, range) > 0) part.setEnd(range.endContainer, range.endOffset)
  return String(part) !== ''
}
