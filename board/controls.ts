import { byId, create, setAttribute } from './dom.ts'
import { chipLabels } from './statuses.ts'
import { sortKeys, type ViewState } from './view-state.ts'

/** Where someone says what to show. */
export interface Controls {
  /** Brings every control to what is shown. */
  readonly show: (view: ViewState) => void
}

/** Listens to the page's controls. */
export function createControls(change: (changed: Partial<ViewState>) => void): Controls {
  const search = byId('search', HTMLInputElement)
  const show = byId('show', HTMLSelectElement)
  const networks = [...document.querySelectorAll<HTMLInputElement>('input[name=network]')]
  const headers = [...document.querySelectorAll<HTMLElement>('th[data-sort]')]
  let shown: ViewState | undefined

  show.append(
    create('option', { value: '' }, 'All'),
    create('option', { value: 'served' }, 'Served to a contract'),
    create('option', { value: 'not-served' }, 'Not served'),
    ...chipLabels.map(label => create('option', { value: label }, label)),
  )
  search.addEventListener('input', () => change({ search: search.value }))
  show.addEventListener('change', () => change({ show: show.value }))
  for (const radio of networks) {
    radio.addEventListener('change', () =>
      change({ network: radio.value === 'testnet' ? 'testnet' : 'mainnet', feed: undefined }),
    )
  }
  for (const header of headers) {
    header.addEventListener('click', () => {
      const sortBy = sortKeys.find(key => key === header.dataset['sort']) ?? 'symbol'
      change({ sortBy, descending: shown?.sortBy === sortBy && !shown.descending })
    })
  }
  return {
    show(view) {
      shown = view
      // Only where it differs, so that whoever is typing keeps the place.
      if (search.value !== view.search) search.value = view.search
      show.value = view.show
      for (const radio of networks) radio.checked = radio.value === view.network
      for (const header of headers) {
        const direction = view.descending ? 'descending' : 'ascending'
        setAttribute(header, 'aria-sort', header.dataset['sort'] === view.sortBy ? direction : undefined)
      }
    },
  }
}
