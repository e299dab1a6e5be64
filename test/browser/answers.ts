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

/** Makes feeds say the longest that they are likely to. */
export const atLength = (text: string) =>
  text
    .replaceAll(/"price":[\d.]+/g, '"price":99999.12345678')
    .replaceAll(/"sharePrice":[\d.]+/g, '"sharePrice":99999.87654321')
    .replaceAll(/"multiplier":[\d.]+/g, '"multiplier":12.123456789012345678')
    .replaceAll(/"status":"OK"/g, '"status":"Corporate action"')
    .replaceAll(/"servesLatestRoundData":true/g, '"servesLatestRoundData":false')

/** Makes feeds say less again. */
export const shorter = (text: string) =>
  text
    .replaceAll(/"(price|sharePrice|multiplier)":(\d+)[\d.]+/g, '"$1":$2')
    .replaceAll(/"status":"Corporate action"/g, '"status":"OK"')
