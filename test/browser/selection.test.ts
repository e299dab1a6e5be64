import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { dialogOf, type Opening, refresh, test } from '../support/browser/board.ts'
import { changeResponses, recordPath } from '../support/browser/responses.ts'

const json = (page: Page) => dialogOf(page).locator('pre').last()

/** Each response has another block and answer: 1001, 1002 and so on. */
function withBlocks(): Opening {
  let block = 1_000
  return {
    query: '?feed=IBM',
    movesClock: true,
    prepare: page =>
      changeResponses(page, recordPath, text => {
        block += 1
        return text.replace(/"block":\d+/, `"block":${block}`).replace(/"answerRaw":"\d+"/, `"answerRaw":"${block}"`)
      }),
  }
}

/** Selects a part of the JSON, as a pointer does. */
const selectSome = `{
  const [text] = [...document.querySelectorAll('pre')].at(-1).childNodes
  getSelection().setBaseAndExtent(text, 2, text, text.length - 2)
}`
const selected = (page: Page) => page.evaluate<string>('getSelection().toString()')

/** Ends the selection, and moves the page's clock to its next drawing. */
async function endSelection(page: Page): Promise<void> {
  await page.evaluate('getSelection().removeAllRanges()')
  await page.clock.runFor(1_000)
}

/** Refreshes the record and waits until a text that is not selected shows the new block. */
async function refreshTo(page: Page, block: number): Promise<void> {
  await refresh(page)
  await expect.poll(() => dialogOf(page).locator('pre').nth(1).textContent()).toContain(`--block ${block}`)
}

test('a selected text of a record stays over refreshes, and is updated when the selection ends', async ({
  openBoard,
}) => {
  const { page } = await openBoard(withBlocks())
  await page.getByText('What was read').click()
  await json(page).getByText('"block": 1001,').waitFor()
  const shown = await json(page).textContent()
  await page.evaluate(selectSome)
  const chosen = await selected(page)
  expect(chosen).toContain('"block": 1001,')
  await refreshTo(page, 1_002)
  await refreshTo(page, 1_003)
  expect(await selected(page)).toBe(chosen)
  expect(await json(page).textContent()).toBe(shown)
  await endSelection(page)
  await json(page).getByText('"block": 1003,').waitFor()
})

test('a selected fact stays while the others are updated', async ({ openBoard }) => {
  const { page } = await openBoard(withBlocks())
  await page.getByText('What was read').click()
  const answer = dialogOf(page).locator('details dd code').first()
  await answer.getByText('1001').dblclick()
  expect(await selected(page)).toBe('1001')
  await refreshTo(page, 1_002)
  expect(await selected(page)).toBe('1001')
  await endSelection(page)
  await answer.getByText('1002').waitFor()
})

test('the button copies the text that is shown, although a newer one is available', async ({ openBoard }) => {
  const { page } = await openBoard(withBlocks())
  await page.getByText('What was read').click()
  await json(page).getByText('"block": 1001,').waitFor()
  const shown = await json(page).textContent()
  await page.evaluate(selectSome)
  await refreshTo(page, 1_002)
  await page.getByRole('button', { name: 'Copy JSON' }).press('Enter')
  await page.getByText('JSON copied', { exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown)
  // The next drawing.
  await page.clock.runFor(1_000)
  await json(page).getByText('"block": 1002,').waitFor()
})

test('a selection does not stay when another feed is opened', async ({ openBoard }) => {
  const { page } = await openBoard(withBlocks())
  await page.getByText('What was read').click()
  await json(page).getByText('"symbol": "IBM"').waitFor()
  await page.evaluate(selectSome)
  await page.evaluate(`history.replaceState(null, '', '?feed=AAPL'); dispatchEvent(new PopStateEvent('popstate'))`)
  await json(page).getByText('"symbol": "AAPL"').waitFor()
  expect(await selected(page)).toBe('')
})
