import { formatAge } from './age.ts'
import { statusOf } from './arrange.ts'
import { createChip, setChip } from './chip.ts'
import { byId, create, setAttribute, setText } from './dom.ts'
import { isUnreadable, type ShownEntry } from './exact-json.ts'

/** The rows of the table. */
export interface Rows {
  /** Shows these feeds, in this order. */
  readonly show: (feeds: readonly ShownEntry[], toLink: (symbol: string) => string) => void
  /** Lets the ages go on. */
  readonly tick: (nowSeconds: number) => void
}

/** One feed's row, which stays the same element as long as the feed is shown. */
interface Row {
  readonly element: HTMLTableRowElement
  readonly set: (entry: ShownEntry, link: string) => void
  readonly tick: (nowSeconds: number) => void
}

/** How many digits stand behind the point in the columns of numbers, at the most. */
const digitColumns = ['price', 'sharePrice', 'multiplier'] as const

/** Creates the table's rows: none as yet. */
export function createRows(): Rows {
  const body = byId('rows', HTMLTableSectionElement)
  const table = byId('table', HTMLTableElement)
  const rows = new Map<string, Row>()
  let shown: readonly Row[] = []
  return {
    show(feeds, toLink) {
      shown = feeds.map(entry => {
        const row = rows.get(entry.symbol) ?? createRow()
        rows.set(entry.symbol, row)
        row.set(entry, toLink(entry.symbol))
        return row
      })
      for (const column of digitColumns) {
        const fractions = feeds.map(entry => (isUnreadable(entry) ? '' : split(entry[column]).fraction))
        table.style.setProperty(`--${column}`, `${Math.max(2, ...fractions.map(({ length }) => length))}ch`)
      }
      place(
        body,
        shown.map(({ element }) => element),
      )
    },
    tick: nowSeconds => shown.forEach(row => void row.tick(nowSeconds)),
  }
}

/** Puts elements in order, moving none that stands right, and keeps the focus where it was. */
function place(body: HTMLElement, elements: readonly HTMLElement[]): void {
  const { activeElement } = document
  for (const child of [...body.children]) if (!elements.some(element => element === child)) child.remove()
  for (const [index, element] of elements.entries()) {
    const there = body.children[index]
    if (there !== element) body.insertBefore(element, there ?? null)
  }
  if (activeElement instanceof HTMLElement && activeElement !== document.activeElement) activeElement.focus()
}

function createRow(): Row {
  const link = create('a')
  const chip = createChip()
  const [price, sharePrice, multiplier] = digitColumns.map(createNumber)
  const age = create('time')
  const served = create('td', { class: 'served' })
  const numbers = [price, sharePrice, multiplier].flatMap(number => number?.element ?? [])
  const element = create(
    'tr',
    {},
    create('th', { scope: 'row', class: 'symbol' }, link),
    create('td', { class: 'status' }, chip),
    ...numbers,
    create('td', { class: 'age' }, age),
    served,
  )
  let observedAt: number | null = null
  return {
    element,
    set(entry, href) {
      setText(link, entry.symbol)
      setAttribute(link, 'href', href)
      setAttribute(link, 'data-feed', entry.symbol)
      setChip(chip, statusOf(entry))
      const record = isUnreadable(entry) ? undefined : entry
      price?.set(record?.price ?? null)
      sharePrice?.set(record?.sharePrice ?? null)
      multiplier?.set(record?.multiplier ?? null)
      observedAt = record?.observedAt ?? null
      setAttribute(age, 'datetime', record?.observedAtIso ?? undefined)
      setText(served, record === undefined ? '–' : toVerdict(record))
      setAttribute(served, 'data-served', record === undefined ? undefined : String(record.servesLatestRoundData))
    },
    tick: nowSeconds => setText(age, observedAt === null ? '–' : formatAge(nowSeconds - observedAt)),
  }
}

/** Says whether a lending market would be served, or what refuses it. */
export function toVerdict(record: {
  readonly servesLatestRoundData: boolean
  readonly latestRoundDataReverts?: string
}): string {
  if (record.servesLatestRoundData) return 'served'
  return record.latestRoundDataReverts ?? 'serves another answer'
}

/** A number whose point stands below those of the others: what is before it to the left, the rest to the right. */
function createNumber(column: string) {
  const whole = create('span', { class: 'whole' })
  const fraction = create('span', { class: 'fraction' })
  const name = { price: 'price', sharePrice: 'share', multiplier: 'multiplier' }[column] ?? column
  const cell = create('span', { class: 'digits', 'data-column': column }, whole, fraction)
  return {
    element: create('td', { class: `${name} number` }, cell),
    set(text: string | null) {
      const parts = split(text)
      setText(whole, text === null ? '–' : parts.whole)
      setText(fraction, parts.fraction)
    },
  }
}

function split(text: string | null): { readonly whole: string; readonly fraction: string } {
  const [whole = '', fraction] = (text ?? '').split('.')
  return { whole, fraction: fraction === undefined ? '' : `.${fraction}` }
}
