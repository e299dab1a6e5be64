import { expect, test } from 'vitest'
import { essentials } from '../../../api/about.ts'
import { networkFacts } from '../../../api/networks.ts'
import { priceRecord } from '../../../api/schemas/record.ts'
import { feedsOf } from '../../../lambda/feeds/registry.ts'

const { chainId, ageSeconds } = priceRecord.shape

test('the meaning of chainId has the id of each network (D5)', () => {
  const { mainnet, testnet } = networkFacts
  expect(chainId.description).toContain(`${mainnet.chain.id} is the mainnet, ${testnet.chain.id} the testnet.`)
})

/**
 * The longest time for which the market is closed until the end of 2028, by the calendar contract of the feeds: from
 * Thursday, 24 December 2026, 17:00 in New York, to Sunday, 27 December, 20:00.
 *
 * @see https://github.com/Slate-Protocol/slate/blob/9b1e3635433ad0d7a7cd31e89141d1ac142d5f98/contracts/src/calendar/USMarketCalendar.sol
 */
const longestClosureHours = 75

/** Returns the greatest age of a price that a feed serves, in days, rounded up to a tenth. */
function toMaxAgeDays(maxAgeSeconds: number): number {
  const maxSeconds = 3_600 * longestClosureHours + maxAgeSeconds + networkFacts.mainnet.maxHeadAgeSeconds
  return Math.ceil(maxSeconds / 8_640) / 10
}

test('the meaning of ageSeconds, and what to check, have the greatest age of a served price of the mainnet', () => {
  const limits = (isApple: boolean) =>
    feedsOf('mainnet').flatMap(({ symbol, maxAgeSeconds }) => ((symbol === 'AAPL') === isApple ? maxAgeSeconds : []))
  const [ofApple, ofOthers] = [true, false].map(isApple => toMaxAgeDays(Math.max(...limits(isApple))))
  const sentence = `a served price is at most ${ofOthers} days old, that of AAPL at most ${ofApple}`
  expect(ageSeconds.description).toContain(`${sentence}: the longest closure, ${longestClosureHours} hours by the`)
  expect(essentials.replaceAll(/\s+/g, ' ')).toContain(`until the end of 2028, ${sentence}.`)
})
