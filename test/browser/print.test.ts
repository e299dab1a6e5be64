import { expect } from 'vitest'
import { atLength, changeAnswers, listPath } from './answers.ts'
import { failedRequest, test } from './board.ts'
import { listAside, listClipped, listTooWide } from './in-page.ts'

/** The width of A4 within Chromium's margins. The windows are tall, because paper does not scroll. */
const papers = [
  ['in landscape', 1047],
  ['in portrait', 718],
] as const

test.for(papers)('printed %s, a list shows every column completely', async ([, width], { openBoard }) => {
  const { page } = await openBoard({
    viewport: { width, height: 3_000 },
    prepare: page => changeAnswers(page, listPath, atLength),
  })
  await page.emulateMedia({ media: 'print' })
  await page.locator('tbody tr').first().waitFor()
  for (const list of [listTooWide, listAside, listClipped]) expect(await page.evaluate(list)).toEqual([])
})

test('printed, a failure does not cover the rows', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await page.locator('tbody tr').first().waitFor()
  await page.route(listPath, route => route.fulfill({ status: 502, body: '' }))
  await page.clock.fastForward(10_300)
  await page.locator('#failure').waitFor()
  await page.emulateMedia({ media: 'print' })
  const [failure, feeds] = [
    await page.locator('main > .failure').boundingBox(),
    await page.locator('#feeds').boundingBox(),
  ]
  expect(Number(failure?.y) + Number(failure?.height)).toBeLessThanOrEqual(Number(feeds?.y))
})

test.for(papers)('printed %s, only the open record is visible, and completely', async ([, width], { openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL', viewport: { width, height: 300 } })
  const last = page.getByRole('dialog').getByText('For inspection only')
  await last.waitFor({ state: 'attached' })
  await page.getByText('cast call').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  const cut = await page.evaluate(`[document.querySelector('dialog'), document.querySelector('dialog .content')]
    .filter(one => one.scrollHeight > one.clientHeight + 1).length`)
  expect(cut).toBe(0)
  const [words, dialog] = [await last.boundingBox(), await page.getByRole('dialog').boundingBox()]
  expect(Number(words?.y)).toBeGreaterThan(300)
  expect(Number(words?.y)).toBeLessThan(Number(dialog?.y) + Number(dialog?.height))
  expect(await page.locator('main').isVisible()).toBe(false)
  // In landscape the record needs more than one page.
  const text = (await page.pdf({ format: 'A4', landscape: width > 1_000 })).toString('latin1')
  expect(text.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(width > 1_000 ? 1 : 0)
})
