/**
 * A program that translates the page as the browsers' translators do, from now on: it moves each text into elements of
 * its own.
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
