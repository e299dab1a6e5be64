import { formatAge } from './age.ts'
import { statusOf } from './arrange.ts'
import { createChip, setChip } from './chip.ts'
import { byId, create, setAttribute, setText } from './dom.ts'
import { isUnreadable, type ShownEntry } from './exact-json.ts'
import { setTableRoles } from './table-roles.ts'

/** The rows of the table. */
export interface Rows {
  /** Shows these feeds, in this order. */
  readonly show: (feeds: readonly ShownEntry[], toLink: (symbol: string) => string) => void
  /** Lets the ages go on, from what they were when the chain was read: no clock of the viewer's has a say in that. */
  readonly tick: (secondsSinceRead: number) => void
}

/** One feed's row, which stays the same element as long as the feed is shown. */
interface Row {
  readonly element: HTMLTableRowElement
  readonly set: (entry: ShownEntry, link: string) => void
  readonly tick: (secondsSinceRead: number) => void
}

/** Creates the table's rows: none as yet. */
export function createRows(): Rows {
  const body = byId('rows', HTMLTableSectionElement)
  const rows = new Map<string, Row>()
  let shown: readonly Row[] = []
  setTableRoles(byId('table', HTMLTableElement))
  return {
    show(feeds, toLink) {
      shown = feeds.map(entry => {
        const row = rows.get(entry.symbol) ?? createRow()
        rows.set(entry.symbol, row)
        row.set(entry, toLink(entry.symbol))
        return row
      })
      place(
        body,
        shown.map(({ element }) => element),
      )
    },
    tick: secondsSinceRead => shown.forEach(row => void row.tick(secondsSinceRead)),
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
  const [price, sharePrice, multiplier] = [createNumber('price'), createNumber('share'), createNumber('multiplier')]
  const age = create('time')
  const served = create('td', { class: 'served' })
  const element = create(
    'tr',
    {},
    create('th', { scope: 'row', class: 'symbol' }, link),
    create('td', { class: 'status' }, chip),
    price.element,
    sharePrice.element,
    multiplier.element,
    create('td', { class: 'age' }, age),
    served,
  )
  setTableRoles(element)
  let ageSeconds: number | null = null
  return {
    element,
    set(entry, href) {
      setText(link, entry.symbol)
      setAttribute(link, 'href', href)
      setAttribute(link, 'data-feed', entry.symbol)
      setChip(chip, statusOf(entry))
      const record = isUnreadable(entry) ? undefined : entry
      price.set(record?.price ?? null)
      sharePrice.set(record?.sharePrice ?? null)
      multiplier.set(record?.multiplier ?? null)
      ageSeconds = record?.ageSeconds ?? null
      setAttribute(age, 'datetime', record?.observedAtIso ?? undefined)
      setBreakable(served, record === undefined ? '–' : toVerdict(record))
      setAttribute(served, 'data-served', record === undefined ? undefined : String(record.servesLatestRoundData))
    },
    tick: secondsSinceRead => setText(age, ageSeconds === null ? '–' : formatAge(ageSeconds + secondsSinceRead)),
  }
}

/** Says whether a lending market would be served, or what it would get instead. */
function toVerdict(record: {
  readonly servesLatestRoundData: boolean
  readonly latestRoundDataReverts?: string
}): string {
  if (record.servesLatestRoundData) return 'served'
  return record.latestRoundDataReverts ?? 'another answer'
}

/** Sets a text that may break where a word begins, as `FeedUnavailable` may on a phone. */
function setBreakable(element: Element, text: string): void {
  if (element.textContent === text) return
  const words = text.split(/(?<=[a-z])(?=[A-Z])/)
  element.replaceChildren(...words.flatMap(word => [word, create('wbr')]))
}

/** How many decimals a column's numbers can have. */
const decimalsOf = { price: 8, share: 8, multiplier: 18 } as const

/** A number, one text for whoever copies or seeks it; what it lacks in decimals is padded, so that the points stand in one line. */
function createNumber(column: keyof typeof decimalsOf) {
  const whole = create('span', { class: 'whole' })
  const fraction = create('span', { class: 'fraction' })
  const digits = create('span', { class: 'digits' }, whole, fraction)
  return {
    element: create('td', { class: `${column} number` }, digits),
    set(text: string | null) {
      const [before = '', behind] = (text ?? '–').split('.')
      setText(whole, before)
      setText(fraction, behind === undefined ? '' : `.${behind}`)
      const missing = '0'.repeat(Math.max(0, decimalsOf[column] - (behind?.length ?? 0)))
      setAttribute(digits, 'data-pad', behind === undefined ? `.${missing}` : missing)
    },
  }
}
