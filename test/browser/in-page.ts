/** Records every layout shift since the page's start in `shifts`. */
export const noteShifts = `
globalThis.shifts = []
const describe = ({ node, previousRect, currentRect }) =>
  [node?.parentElement?.tagName, node?.nodeName, node?.className, node?.textContent?.slice(0, 30),
    [previousRect.x, previousRect.y, '→', currentRect.x, currentRect.y].join(' ')].join(' | ')
globalThis.shiftObserver = new PerformanceObserver(list => noteAll(list.getEntries()))
const noteAll = entries => entries.forEach(({ sources }) => shifts.push(...sources.map(describe)))
shiftObserver.observe({ type: 'layout-shift', buffered: true })
globalThis.takeShifts = () => {
  noteAll(shiftObserver.takeRecords())
  return shifts.splice(0)
}`

/** Lists the layout shifts since the last call. */
export const takeShifts = 'takeShifts()'

/** Records the rows that change in `touched`. */
export const noteTouched = `
globalThis.touched = new Set()
new MutationObserver(all => all.forEach(({ target }) => touched.add(
  (target.nodeType === 1 ? target : target.parentElement).closest('tr')?.querySelector('th').textContent ?? 'the body',
))).observe(document.querySelector('tbody'), { subtree: true, childList: true, attributes: true, characterData: true })`

/** Lists the rows that have changed. */
export const listTouched = '[...touched]'

/** Lists the elements that reach beyond the window, if the page is wider than it. */
export const listTooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > innerWidth)
    .map(one => one.tagName + ' ' + one.className)`

/** Lists the elements whose text is larger than their box. */
export const listClipped = `[...document.querySelectorAll('th, td, p, h1, h2, dd, dt, pre, button, label')]
  .filter(element => element.checkVisibility() && element.closest('.hidden') === null)
  .flatMap(element => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    const isOut = text.width > 0 && (text.left < box.left - 0.5 || text.right > box.right + 0.5 ||
      text.top < box.top - 0.5 || text.bottom > box.bottom + 0.5)
    const description = [element.tagName, element.className, element.textContent.trim().slice(0, 40)].join(' ')
    return isOut ? [[description, text.left, box.left, text.right, box.right, text.top, box.top, text.bottom, box.bottom].join(' ')] : []
  })`

/** Lists the elements that cover the failure banner. */
export const listOverFailure = `(() => {
  const { left, top, width, height } = document.querySelector('main > .failure').getBoundingClientRect()
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  return parts.flatMap(across => parts.map(down => document.elementFromPoint(left + across * width, top + down * height)))
    .filter(one => one.closest('main > .failure') === null).map(one => one.outerHTML)
})()`

/** Returns a name of the element with the focus. */
export const describeFocus = `(() => {
  const { activeElement: one } = document
  return one.getAttribute('aria-label') ?? (one.tagName === 'INPUT' || one.tagName === 'SELECT'
    ? one.id || one.name : one.textContent || one.tagName)
})()`

/** Waits for two frames, so that the browser has dispatched the events that come with a frame. */
export const nextFrames = 'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))'

/** Lists the cells that are not visible without scrolling sideways. */
export const listAside = `[...document.querySelectorAll('.scroll, thead th, tbody th, tbody td')].flatMap(one => {
  const { left, right, width, height } = one.getBoundingClientRect()
  const isSeen = one.checkVisibility() && width > 1 && height > 1 && left >= 0 && right <= innerWidth
  return isSeen && one.scrollWidth <= one.clientWidth ? [] : [[one.className, left, right, one.scrollWidth].join(' ')]
})`

/** Returns the element with the focus, and the part of it, from 0 to 1, that neither the failure banner nor the header covers. */
export const describeSeenFocus = `(() => {
  const [one, over] = [document.activeElement, document.querySelector('main > .failure')].map(one => one.getBoundingClientRect())
  const isUnder = document.activeElement.closest('tbody') !== null
  const above = isUnder ? document.querySelector('thead th').getBoundingClientRect().bottom : 0
  const across = Math.min(one.right, over.right) - Math.max(one.left, over.left)
  const below = across <= 0 ? innerHeight : over.top
  const seen = Math.max(0, Math.min(one.bottom, innerHeight, below) - Math.max(one.top, above, 0))
  return { name: document.activeElement.textContent.trim(), seen: one.height === 0 ? 0 : seen / one.height }
})()`

/** Removes `moveBefore`, which Safari does not have: there an element that moves is removed and inserted again. */
export const removeMoveBefore = 'delete Element.prototype.moveBefore'
