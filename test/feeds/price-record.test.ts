import fc from 'fast-check'
import { robinhood } from 'viem/chains'
import { expect, test } from 'vitest'
import { type Detail, feedStatuses, type Head, type Round, toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { findFeed } from '../../lambda/feeds/registry.ts'
import { toRuns } from '../support/fuzz/runs.ts'

const crwd = findFeed('mainnet', 'CRWD')
if (crwd === undefined) throw new Error('CRWD is not in the registry')

const head: Head = { chain: robinhood, block: 79_242_031, readAt: new Date('2026-10-03T22:30:00.789Z') }
const closed: Detail = {
  status: 'Market closed',
  answer: 107_990_000_000n,
  observedAt: 1_790_984_206,
  sharePrice: 26_997_500_000n,
  multiplier: 4_000_000_000_000_000_000n,
}
const empty: Detail = { status: 'No data', answer: 0n, observedAt: 0, sharePrice: 0n, multiplier: 0n }

const record = (detail: Partial<Detail>, round: Round = 'malformed', at: Partial<Head> = {}) =>
  toPriceRecord({ feed: crwd, detail: { ...closed, ...detail }, round }, { ...head, ...at })

test('a record has the fields of the specification in their order (D9, D16)', () => {
  expect(JSON.stringify(record({}, { answer: closed.answer }), null, 2)).toMatchInlineSnapshot(`
    "{
      "symbol": "CRWD",
      "network": "Robinhood Chain",
      "chainId": 4663,
      "status": "Market closed",
      "servesLatestRoundData": true,
      "price": 1079.9,
      "sharePrice": 269.975,
      "multiplier": 4,
      "observedAt": 1790984206,
      "observedAtIso": "2026-10-02T23:36:46.000Z",
      "ageSeconds": 82394,
      "answerRaw": "107990000000",
      "decimals": 8,
      "feed": "0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77",
      "token": "0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931",
      "explorer": {
        "feed": "https://robinhoodchain.blockscout.com/address/0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77",
        "token": "https://robinhoodchain.blockscout.com/address/0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931"
      },
      "block": 79242031,
      "readAt": "2026-10-03T22:30:00.789Z"
    }"
  `)
})

test('a feed without data has every field, null where it has no value (D10)', () => {
  expect(JSON.stringify(record(empty, { reverts: 'FeedUnavailable' }), null, 2)).toMatchInlineSnapshot(`
    "{
      "symbol": "CRWD",
      "network": "Robinhood Chain",
      "chainId": 4663,
      "status": "No data",
      "servesLatestRoundData": false,
      "latestRoundDataReverts": "FeedUnavailable",
      "price": null,
      "sharePrice": null,
      "multiplier": null,
      "observedAt": null,
      "observedAtIso": null,
      "ageSeconds": null,
      "answerRaw": "0",
      "decimals": 8,
      "feed": "0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77",
      "token": "0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931",
      "explorer": {
        "feed": "https://robinhoodchain.blockscout.com/address/0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77",
        "token": "https://robinhoodchain.blockscout.com/address/0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931"
      },
      "block": 79242031,
      "readAt": "2026-10-03T22:30:00.789Z"
    }"
  `)
})

test('each field is null for its own reason (D10)', () => {
  expect(record({ answer: 0n }).price).toBeNull()
  expect(record({ answer: -1n })).toMatchObject({ price: null, answerRaw: '-1' })
  expect(record({ sharePrice: 0n })).toMatchObject({ sharePrice: null, price: JSON.rawJSON('1079.9') })
  expect(record({ sharePrice: -1n }).sharePrice).toBeNull()
  expect(record({ multiplier: 0n })).toMatchObject({ multiplier: null, sharePrice: JSON.rawJSON('269.975') })
  expect(record({ observedAt: 0 })).toMatchObject({ observedAt: null, observedAtIso: null, ageSeconds: null })
})

test('a feed serves only when the round’s answer is the detail’s (D13)', () => {
  expect(record({}, { answer: closed.answer }).servesLatestRoundData).toBe(true)
  for (const round of [{ answer: closed.answer + 1n }, 'malformed', { reverts: 'NoHistory' }] as const) {
    expect(record({}, round).servesLatestRoundData).toBe(false)
  }
})

test('latestRoundDataReverts is present only after a revert (D13, D14)', () => {
  expect(record({}, { reverts: '0x1234abcd' }).latestRoundDataReverts).toBe('0x1234abcd')
  expect(record({}, { answer: 1n })).not.toHaveProperty('latestRoundDataReverts')
  expect(record({}, 'malformed')).not.toHaveProperty('latestRoundDataReverts')
})

test('the age is in whole seconds and never negative (D15)', () => {
  const ageAt = (iso: string) => record({}, 'malformed', { readAt: new Date(iso) }).ageSeconds
  expect(ageAt('2026-10-02T23:36:46.000Z')).toBe(0)
  expect(ageAt('2026-10-02T23:36:46.999Z')).toBe(0)
  expect(ageAt('2026-10-02T23:36:47.000Z')).toBe(1)
  expect(ageAt('2026-10-02T23:36:45.999Z')).toBe(0)
  expect(ageAt('2020-01-01T00:00:00.000Z')).toBe(0)
})

test('a record has the feed’s values without any computation, whatever the feed serves (D3, D4, D11)', () => {
  const uint = (bits: bigint) => fc.bigInt({ min: 1n, max: 2n ** bits - 1n })
  fc.assert(
    fc.property(
      fc.record({
        status: fc.constantFrom(...feedStatuses),
        answer: uint(255n),
        sharePrice: uint(255n),
        multiplier: uint(256n),
        observedAt: fc.integer({ min: 1, max: 253_402_300_799 }),
      }),
      fc.boolean(),
      (detail, serves) => {
        const shown = record(detail, serves ? { answer: detail.answer } : { reverts: 'FeedUnavailable' })
        const integer = (exact: { rawJSON: string } | null, decimals: number) => {
          const [whole = '', fraction = ''] = (exact?.rawJSON ?? '').split('.')
          return BigInt(whole + fraction.padEnd(decimals, '0'))
        }
        expect(shown.status).toBe(detail.status)
        expect(integer(shown.price, 8)).toBe(detail.answer)
        expect(shown.answerRaw).toBe(String(detail.answer))
        expect(integer(shown.sharePrice, 8)).toBe(detail.sharePrice)
        expect(integer(shown.multiplier, 18)).toBe(detail.multiplier)
        expect(shown.observedAt).toBe(detail.observedAt)
        expect(Date.parse(shown.observedAtIso ?? '')).toBe(detail.observedAt * 1_000)
        expect(shown.servesLatestRoundData).toBe(serves)
      },
    ),
    toRuns(500),
  )
})
