/** Lists what is not completely visible: elements beyond the window, texts larger than their box, cells that need scrolling. */
export const listMisfits = `(() => {
  const all = selector => [...document.querySelectorAll(selector)]
  const isTooWide = document.documentElement.scrollWidth > innerWidth
  const wide = all('body *').filter(element => isTooWide && element.getBoundingClientRect().right > innerWidth)
  const clipped = all('th, td, p, h1, h2, dd, dt, pre, button, label').filter(element => {
    if (!element.checkVisibility() || element.closest('.hidden') !== null) return false
    const range = document.createRange()
    range.selectNodeContents(element)
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    return text.width > 0 && (text.left < box.left - 0.5 || text.right > box.right + 0.5 ||
      text.top < box.top - 0.5 || text.bottom > box.bottom + 0.5)
  })
  const isTable = innerWidth > 760 || matchMedia('print').matches
  const cells = isTable ? 'thead th, #rows th, #rows td' : '#rows :is(.symbol, .status, .price, .served)'
  const aside = all(\`.scroll, \${cells}\`).filter(element => {
    const { left, right, width, height } = element.getBoundingClientRect()
    const isSeen = element.checkVisibility() && width > 1 && height > 1 && left >= 0 && right <= innerWidth
    return !isSeen || element.scrollWidth > element.clientWidth
  })
  const large = all('dialog').filter(element => element.offsetWidth > innerWidth || element.offsetHeight > innerHeight)
  return Object.entries({ wide, clipped, aside, large }).flatMap(([kind, found]) =>
    found.map(element => [kind, element.tagName, element.className, element.textContent.trim().slice(0, 40)].join(' ')))
})()`

/** Lists the controls of the dialog that do not take a touch 21 pixels from their centre, so that they have less than 44. */
export const listSmallControls = `[...document.querySelectorAll('dialog :is(button, a)')].filter(element => {
  element.scrollIntoView({ block: 'center' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const isTouched = ([x, y]) => element === document.elementFromPoint(left + width / 2 + x, top + height / 2 + y)
  return element.checkVisibility() && ![[-21, 0], [21, 0], [0, -21], [0, 21]].every(isTouched)
}).map(element => element.textContent)`

/** Returns a name of the element with the focus. */
export const describeFocus = `(() => {
  const { activeElement: element } = document
  return element.getAttribute('aria-label') ?? (element.tagName === 'INPUT' || element.tagName === 'SELECT'
    ? element.id || element.name : element.textContent || element.tagName)
})()`

/** Waits for two frames, so that the browser has dispatched the events that come with a frame. */
export const nextFrames = 'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))'

/** Returns the element with the focus, and the part of it, from 0 to 1, that neither the failure banner nor the header covers. */
export const describeSeenFocus = `(() => {
  const [element, over] = [document.activeElement, document.querySelector('main > .failure')]
    .map(element => element.getBoundingClientRect())
  const isUnder = document.activeElement.closest('tbody') !== null
  const above = isUnder && innerWidth > 760 ? document.querySelector('thead th').getBoundingClientRect().bottom : 0
  const across = Math.min(element.right, over.right) - Math.max(element.left, over.left)
  const below = across <= 0 ? innerHeight : over.top
  const seen = Math.max(0, Math.min(element.bottom, innerHeight, below) - Math.max(element.top, above, 0))
  return { name: document.activeElement.textContent.trim(), seen: element.height === 0 ? 0 : seen / element.height }
})()`
