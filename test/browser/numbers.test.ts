import { expect } from 'vitest'
import { rowOf, test } from './board.ts'

test('a number can be selected, copied and found as the API writes it', async ({ openBoard, deployment }) => {
  const text = await (await fetch(`${deployment.baseUrl}/price`)).text()
  const [, digits] = /"symbol":"AAPL".*?"price":([\d.]+)/.exec(text) ?? []
  expect(digits).toBe('271.84930217')
  const { page } = await openBoard({ permissions: ['clipboard-read', 'clipboard-write'] })
  const cell = rowOf(page, 'AAPL').locator('.price')
  await cell.evaluate(one => one.ownerDocument.getSelection()?.selectAllChildren(one))
  expect(await page.evaluate('getSelection().toString()')).toBe(digits)
  await page.keyboard.press('ControlOrMeta+C')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digits)
  await page.evaluate('getSelection().removeAllRanges()')
  expect(await page.evaluate(`window.find('${digits}')`)).toBe(true)
})

test('a double click selects a whole number', async ({ openBoard }) => {
  const { page } = await openBoard()
  const cell = rowOf(page, 'AMC').locator('.multiplier')
  await cell.locator('.whole').dblclick()
  expect(await page.evaluate('getSelection().toString()')).toBe(await cell.textContent())
})

test('the padding is not in the accessibility tree', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  expect(await rowOf(page, 'CRWD').locator('.price').ariaSnapshot()).toBe('- cell "1079.9"')
})
