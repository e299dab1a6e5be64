import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { indentJson } from '../../pages/reference/indent-json.ts'
import { failedRequest, test } from '../support/browser/board.ts'
import { nextFrames } from '../support/browser/in-page.ts'

/** The multiplier of IBM on the local chain. A double would round it. */
const multiplier = '1.005447209118640331'

/** The section of an operation. */
const sectionOf = (page: Page, id: string) => page.locator('.operation').filter({ has: page.locator(`#${id}`) })

/** Sends the request of an operation, and returns the outcome and the response that the page shows. */
async function send(page: Page, id: string) {
  const section = sectionOf(page, id)
  await section.getByRole('button', { name: 'Send the request' }).click()
  const status = section.locator('.outcome')
  await expect.poll(() => status.textContent()).toMatch(/\d ms$/)
  return {
    status: (await status.textContent())?.replace(/, \d+ ms$/, ''),
    headers: await section.getByLabel('Headers', { exact: true }).textContent(),
    body: (await section.getByLabel('Body', { exact: true }).textContent()) ?? '',
  }
}

test('a request from the page shows the record with all its digits, and the headers', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: 'docs' })
  await sectionOf(page, 'getPrice').getByLabel('symbol').fill('ibm')
  const arrived = page.waitForResponse(/\/price\/ibm$/)
  const { status, headers, body } = await send(page, 'getPrice')
  expect({ status, body }).toEqual({ status: '200 OK', body: indentJson(await (await arrived).text()) })
  expect(body).toContain(`\n  "multiplier": ${multiplier},\n`)
  expect(headers).toMatch(/^Content-Type: application\/json\nCache-Control: public, must-revalidate.*\nExpires: /)
  expect(requests).toEqual(['/docs', '/price/ibm'])
})

test('an unknown symbol shows the problem, also one that could leave the path or a shell’s quotes', async ({
  openBoard,
}) => {
  const { page, requests } = await openBoard({ query: 'docs', expected: failedRequest })
  await sectionOf(page, 'getPrice').getByLabel('symbol').fill("a/../'b?c")
  const { status, body } = await send(page, 'getPrice')
  expect(status).toBe('404 Not Found')
  expect(JSON.parse(body).type).toBe('urn:problem-type:price-lookup:unknown-symbol')
  expect(requests.at(-1)).toBe('/price/a%2F..%2F%27b%3Fc')
})

test('the testnet is read with its parameter, and the default network without', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: 'docs' })
  for (const [network, path] of [
    ['testnet', '/price?network=testnet'],
    ['mainnet', '/price'],
  ] as const) {
    await sectionOf(page, 'listPrices').getByLabel('network').selectOption(network)
    const { status, body } = await send(page, 'listPrices')
    expect([status, requests.at(-1)]).toEqual(['200 OK', path])
    expect(JSON.parse(body).chainId).toBe(network === 'testnet' ? 46_630 : 4_663)
  }
})

test('a failed request is shown as one sentence', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs/', expected: failedRequest })
  await page.route(/price/, route => route.abort())
  const section = sectionOf(page, 'listPrices')
  await section.getByRole('button', { name: 'Send the request' }).click()
  await section.getByText('There was no response.').waitFor()
  expect(await section.getByLabel('Body', { exact: true }).isVisible()).toBe(false)
})

test('only the response to the latest request is shown, until its form changes', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs', expected: failedRequest })
  await page.evaluate(`globalThis.outcomes = []
    new MutationObserver(([{ target }]) => outcomes.push(target.textContent))
      .observe(document.querySelector('.operation:has(#getPrice) .outcome'), { childList: true })`)
  const held = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  for (const event of ['requestfailed', 'requestfinished'] as const)
    page.on(event as 'requestfailed', request => request.url().endsWith('/AMC') && ended.resolve())
  await page.route(/price\/AMC/, route => held.promise.then(() => route.continue()))
  const section = sectionOf(page, 'getPrice')
  const symbol = section.getByLabel('symbol')
  await symbol.fill('AMC')
  await symbol.press('Enter')
  await symbol.fill('IBM')
  const { body } = await send(page, 'getPrice')
  held.resolve()
  await ended.promise
  await page.evaluate(nextFrames)
  expect(JSON.parse(body).symbol).toBe('IBM')
  expect(await page.evaluate("outcomes.filter(text => text !== '')")).toEqual([
    'Waiting…',
    'Waiting…',
    expect.stringMatching(/^200 OK, /),
  ])
  await symbol.fill('AAPL')
  expect(await section.locator('.outcome').textContent()).toBe('')
  expect(await section.getByLabel('Body', { exact: true }).isVisible()).toBe(false)
})

test('the requests to copy are those of the form, and run; where copying is forbidden, they are selected', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: 'docs', expected: failedRequest, movesClock: true })
  const section = sectionOf(page, 'getPrice')
  await section.getByLabel('symbol').fill('IBM')
  const copy = async (language: string) => {
    await section.getByRole('button', { name: `Copy ${language}` }).click()
    await section.getByText(`${language} copied`).waitFor({ state: 'attached' })
    // Ends the confirmation.
    await page.clock.runFor(1_500)
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  const run = async (file: string, args: string[]) => (await promisify(execFile)(file, args)).stdout
  expect(await run('sh', ['-c', `${await copy('curl')} --silent`])).toContain(`"multiplier":${multiplier},`)
  const program = await copy('JavaScript')
  const runInPage = (text: string) => page.evaluate(`(async () => { ${text} })()`)
  const printed = page.waitForEvent('console')
  await runInPage(program)
  expect(await (await printed).args()[0]?.jsonValue()).toMatchObject({ multiplier })
  const javaScript = await run(process.execPath, ['--input-type=module', '-e', program])
  expect(javaScript).toContain(`multiplier: '${multiplier}'`)
  expect(await copy('Python')).toMatch(
    /^# Python 3\.8 .*urlopen\('http.*\/v1\/price\/IBM'\).*parse_float=Decimal\)\)$/s,
  )
  await section.getByLabel('symbol').fill('NOPE')
  const failing = await copy('JavaScript')
  await expect(runInPage(failing)).rejects.toThrow('Error: The mainnet has no feed')
  const stderr = expect.stringMatching(/^Error: The mainnet has no feed/m)
  await expect(run(process.execPath, ['--input-type=module', '-e', failing])).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr,
  })
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())')
  await section.getByRole('button', { name: 'Copy curl' }).click()
  await section.getByText('curl selected').waitFor({ state: 'attached' })
  expect(await page.evaluate('getSelection().toString()')).toMatch(/^curl 'http.*\/v1\/price\/NOPE'$/)
})

test('the contents mark the section that is read, in a window of any height', async ({ openBoard }) => {
  for (const height of [720, 2_000]) {
    const { page } = await openBoard({ query: 'docs', viewport: { width: 1280, height } })
    const current = page.locator('nav [aria-current]')
    expect(await current.allTextContents()).toEqual(['Start'])
    for (const name of ['About', 'PriceRecord', 'Problems', 'Start']) {
      await page.getByRole('navigation').getByRole('link', { name }).click()
      await expect.poll(() => current.allTextContents()).toEqual([name])
    }
  }
})

test('without JavaScript the page has everything but copying and trying', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs', javaScriptEnabled: false })
  expect(await page.getByText("curl 'https://prices.example/v1/price/CRWD'").first().isVisible()).toBe(true)
  expect(await page.getByText('Try it').first().isVisible()).toBe(false)
  expect(await page.getByRole('button').count()).toBe(0)
})

test('at every width the outcome stands beside its button, and the page does not scroll sideways', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: 'docs' })
  await send(page, 'getPrice')
  await page.evaluate(`document.querySelectorAll('details').forEach(element => { element.open = true })`)
  for (const width of [320, 390, 760, 768, 960, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const [button, outcome] = await Promise.all(
      ['.send', '.outcome'].map(selector => sectionOf(page, 'getPrice').locator(selector).boundingBox()),
    )
    expect(outcome?.x).toBe((button?.x ?? 0) + (button?.width ?? 0) + 16)
    expect(outcome?.y).toBeLessThan((button?.y ?? 0) + (button?.height ?? 0))
  }
})

test('on a wide screen the first response has what the API is beside it', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs' })
  const response = await page.locator('.start figure', { hasText: 'Response' }).boundingBox()
  const about = await page.locator('#about').boundingBox()
  expect(about?.x).toBeLessThan(response?.x ?? 0)
  expect(about?.y).toBeLessThan((response?.y ?? 0) + (response?.height ?? 0) / 2)
})
