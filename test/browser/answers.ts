import type { Page } from 'playwright-core'

/** Lets the API's answers come to the page changed. */
export async function changeAnswers(page: Page, path: RegExp, change: (text: string) => string): Promise<void> {
  await page.route(path, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text()) })
  })
}

/** The list of either network. */
export const listPath = /\/price(\?.*)?$/

/** One feed's record. */
export const recordPath = /\/price\/\w+(\?.*)?$/

/** Makes a list of many feeds out of one: `F0`, `F1` and so on, whose ages are too large to change within a test. */
export function multiply(text: string, count: number): string {
  const list = JSON.parse(text)
  const [first] = list.feeds.filter(({ symbol }: { symbol: string }) => symbol === 'CRWD')
  return JSON.stringify({
    ...list,
    feeds: Array.from({ length: count }, (_, index) => ({ ...first, symbol: `F${index}` })),
  })
}
