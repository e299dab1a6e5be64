/** Notes every layout shift from the page's beginning on, in `shifts`. */
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

/** Lists what was moved since it was last asked. */
export const takeShifts = 'takeShifts()'

/** Notes in which rows anything changes, in `touched`. */
export const noteTouched = `
globalThis.touched = new Set()
new MutationObserver(all => all.forEach(({ target }) => touched.add(
  (target.nodeType === 1 ? target : target.parentElement).closest('tr')?.querySelector('th').textContent ?? 'the body',
))).observe(document.querySelector('tbody'), { subtree: true, childList: true, attributes: true, characterData: true })`

/** Lists the rows in which anything has changed. */
export const listTouched = '[...touched]'

/** Lists whatever of the page is wider than the window. */
export const listTooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > innerWidth)
    .map(one => one.tagName + ' ' + one.className)`

/** Lists the elements whose text reaches out of the box that it stands in, or is cut off. */
export const listClipped = `[...document.querySelectorAll('th, td, p, h1, h2, dd, dt, pre, button, label')]
  .filter(element => element.checkVisibility() && element.closest('.hidden') === null)
  .flatMap(element => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    const isOut = text.width > 0 && (text.left < box.left - 0.5 || text.right > box.right + 0.5 ||
      text.top < box.top - 0.5 || text.bottom > box.bottom + 0.5)
    const says = [element.tagName, element.className, element.textContent.trim().slice(0, 40)].join(' ')
    return isOut ? [[says, text.left, box.left, text.right, box.right, text.top, box.top, text.bottom, box.bottom].join(' ')] : []
  })`

/** Lists what stands in front of the banner that tells of a failure. */
export const listOverFailure = `(() => {
  const { left, top, width, height } = document.querySelector('#failure').getBoundingClientRect()
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  return parts.flatMap(across => parts.map(down => document.elementFromPoint(left + across * width, top + down * height)))
    .filter(one => one.id !== 'failure').map(one => one.outerHTML)
})()`

/** Says what has the focus. */
export const describeFocus = `(() => {
  const { activeElement: one } = document
  return one.getAttribute('aria-label') ?? (one.tagName === 'INPUT' || one.tagName === 'SELECT'
    ? one.id || one.name : one.textContent || one.tagName)
})()`

/** Waits until the browser has drawn twice, and has told of all that it tells with a frame. */
export const nextFrames = 'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))'

/** Lists what the rows say that is not to be seen without scrolling sideways. */
export const listAside = `[...document.querySelectorAll('.scroll, thead th, tbody th, tbody td')].flatMap(one => {
  const { left, right, width, height } = one.getBoundingClientRect()
  const isSeen = one.checkVisibility() && width > 1 && height > 1 && left >= 0 && right <= innerWidth
  return isSeen && one.scrollWidth <= one.clientWidth ? [] : [[one.className, left, right, one.scrollWidth].join(' ')]
})`

/** Says how much of what has the focus the words of a failure leave to be seen, from 0 to 1, and what it is. */
export const describeSeenFocus = `(() => {
  const [one, over] = [document.activeElement, document.querySelector('#failure')].map(one => one.getBoundingClientRect())
  const across = Math.min(one.right, over.right) - Math.max(one.left, over.left)
  const seen = across <= 0 ? one.height : Math.max(0, Math.min(one.bottom, innerHeight, over.top) - Math.max(one.top, 0))
  return { name: document.activeElement.textContent.trim(), seen: one.height === 0 ? 0 : seen / one.height }
})()`
