/** Lists what is not completely visible: elements beyond the window, and texts that are larger than their box. */
export const listMisfits = `[...document.querySelectorAll('th, td, p, h1, h2, dd, dt, pre, button, label, dialog')]
  .filter(element => {
    if (!element.checkVisibility() || element.closest('.hidden') !== null) return false
    const range = document.createRange()
    range.selectNodeContents(element)
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    const isClipped = text.width > 0 && (text.left < box.left - 0.5 || text.right > box.right + 0.5)
    return isClipped || box.right > innerWidth || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
  })
  .map(element => element.tagName + ' ' + element.textContent.trim().slice(0, 60))`

/** Lists the rectangles of all that has a fixed place, besides which texts change. */
export const listRectangles = `[...document.querySelectorAll('header *, main > *, .tools > *, tr, th, td')]
  .map(element => element.tagName + ' ' + JSON.stringify(element.getBoundingClientRect()))`

/** The smallest distance between a price and the age beside it, in pixels. */
export const smallestGap = `Math.min(...[...document.querySelectorAll('tbody .age')].map(age => {
  const [price, text] = [document.createRange(), document.createRange()]
  price.selectNodeContents(age.previousElementSibling)
  text.selectNodeContents(age)
  return text.getBoundingClientRect().left - price.getBoundingClientRect().right
}))`

/** What a translator leaves alone on request. */
export const notTranslated = '[translate=no], .notranslate'

/**
 * Translates the page as the browsers' translators do, from now on: it moves each text into elements of its own.
 *
 * @param unless a selector of the elements whose texts it leaves alone
 */
export const translate = (unless: string) => `(() => {
  const isOwn = node => node.parentElement?.closest('font, script, style, ${unless}') !== null
  const wrapAll = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) if (!isOwn(walker.currentNode)) texts.push(walker.currentNode)
    for (const text of texts) {
      const font = document.createElement('font')
      font.textContent = text.data
      text.replaceWith(font)
    }
  }
  wrapAll()
  new MutationObserver(wrapAll).observe(document.body, { childList: true, subtree: true, characterData: true })
})()`
