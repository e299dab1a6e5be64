/** Lists what is not completely visible: elements beyond the window, texts larger than their box, cells that need scrolling. */
export const listMisfits = `(() => {
  const all = selector => [...document.querySelectorAll(selector)]
  const isTooWide = document.documentElement.scrollWidth > innerWidth
  const wide = all('body *').filter(one => isTooWide && one.getBoundingClientRect().right > innerWidth)
  const clipped = all('th, td, p, h1, h2, dd, dt, pre, button, label').filter(one => {
    if (!one.checkVisibility() || one.closest('.hidden') !== null) return false
    const range = document.createRange()
    range.selectNodeContents(one)
    const [text, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
    return text.width > 0 && (text.left < box.left - 0.5 || text.right > box.right + 0.5 ||
      text.top < box.top - 0.5 || text.bottom > box.bottom + 0.5)
  })
  const aside = all(\`.scroll, \${innerWidth > 760 ? 'thead th, ' : ''}#rows th, #rows td\`).filter(one => {
    const { left, right, width, height } = one.getBoundingClientRect()
    const isSeen = one.checkVisibility() && width > 1 && height > 1 && left >= 0 && right <= innerWidth
    return !isSeen || one.scrollWidth > one.clientWidth
  })
  const large = all('dialog').filter(one => one.offsetWidth > innerWidth || one.offsetHeight > innerHeight)
  return Object.entries({ wide, clipped, aside, large }).flatMap(([kind, found]) =>
    found.map(one => [kind, one.tagName, one.className, one.textContent.trim().slice(0, 40)].join(' ')))
})()`

/** Returns a name of the element with the focus. */
export const describeFocus = `(() => {
  const { activeElement: one } = document
  return one.getAttribute('aria-label') ?? (one.tagName === 'INPUT' || one.tagName === 'SELECT'
    ? one.id || one.name : one.textContent || one.tagName)
})()`

/** Waits for two frames, so that the browser has dispatched the events that come with a frame. */
export const nextFrames = 'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))'

/** Returns the element with the focus, and the part of it, from 0 to 1, that neither the failure banner nor the header covers. */
export const describeSeenFocus = `(() => {
  const [one, over] = [document.activeElement, document.querySelector('main > .failure')]
    .map(element => element.getBoundingClientRect())
  const isUnder = document.activeElement.closest('tbody') !== null
  const above = isUnder && innerWidth > 760 ? document.querySelector('thead th').getBoundingClientRect().bottom : 0
  const across = Math.min(one.right, over.right) - Math.max(one.left, over.left)
  const below = across <= 0 ? innerHeight : over.top
  const seen = Math.max(0, Math.min(one.bottom, innerHeight, below) - Math.max(one.top, above, 0))
  return { name: document.activeElement.textContent.trim(), seen: one.height === 0 ? 0 : seen / one.height }
})()`

/** Removes `moveBefore`, which Safari does not have: there an element that moves is removed and inserted again. */
export const removeMoveBefore = 'delete Element.prototype.moveBefore'
