import { expect, test } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { feedStatuses } from '../../../api/statuses.ts'
import { toPriceRecord } from '../../../lambda/feeds/price-record.ts'
import type { Detail, ReadBlock, RoundData } from '../../../lambda/feeds/reading.ts'
import { findFeed } from '../../../lambda/feeds/registry.ts'

const crwd = findFeed('mainnet', 'CRWD')
if (crwd === undefined) throw new Error('CRWD is not in the registry')

const readBlock: ReadBlock = {
  chain: networkFacts.mainnet.chain,
  block: 79_242_031,
  readAt: new Date('2026-10-03T22:30:00.789Z'),
}
const closed: Detail = {
  status: 'Market closed',
  answer: 107_990_000_000n,
  observedAt: 1_790_984_206,
  sharePrice: 26_997_500_000n,
  multiplier: 4_000_000_000_000_000_000n,
}

const record = (detail: Partial<Detail>, roundData: RoundData = { malformed: true }, at: Partial<ReadBlock> = {}) =>
  toPriceRecord({ feed: crwd, detail: { ...closed, ...detail }, roundData }, { ...readBlock, ...at })

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

test('each field is null for its own reason (D10)', () => {
  expect(record({ answer: 0n }).price).toBeNull()
  expect(record({ answer: -1n })).toMatchObject({ price: null, answerRaw: '-1' })
  expect(record({ sharePrice: 0n })).toMatchObject({ sharePrice: null, price: JSON.rawJSON('1079.9') })
  expect(record({ sharePrice: -1n }).sharePrice).toBeNull()
  expect(record({ multiplier: 0n })).toMatchObject({ multiplier: null, sharePrice: JSON.rawJSON('269.975') })
  expect(record({ observedAt: 0 })).toMatchObject({ observedAt: null, observedAtIso: null, ageSeconds: null })
})

test.each<[RoundData, object]>([
  [{ answer: closed.answer }, { servesLatestRoundData: true }],
  [{ answer: closed.answer + 1n }, { servesLatestRoundData: false }],
  [{ malformed: true }, { servesLatestRoundData: false }],
  [{ reverts: '0x1234abcd' }, { servesLatestRoundData: false, latestRoundDataReverts: '0x1234abcd' }],
])('after the round data %o, a record has %o (D13, D14)', (roundData, expected) => {
  const { servesLatestRoundData, latestRoundDataReverts } = record({}, roundData)
  expect(JSON.stringify({ servesLatestRoundData, latestRoundDataReverts })).toBe(JSON.stringify(expected))
})

test('the age is in whole seconds and never negative (D15)', () => {
  const ageAt = (iso: string) => record({}, { malformed: true }, { readAt: new Date(iso) }).ageSeconds
  expect(ageAt('2026-10-02T23:36:46.999Z')).toBe(0)
  expect(ageAt('2026-10-02T23:36:47.000Z')).toBe(1)
  expect(ageAt('2026-10-02T23:36:45.999Z')).toBe(0)
})

test.each(feedStatuses)('a feed of the status %s has its values as they are, served or not (D4, D11)', status => {
  // The product of share price and multiplier is another one.
  const { servesLatestRoundData: _, ...values } = record({ answer: 1n }, { answer: 1n })
  expect(values).toMatchObject({ price: JSON.rawJSON('0.00000001'), sharePrice: JSON.rawJSON('269.975') })
  for (const serves of [true, false]) {
    const shown = record({ answer: 1n, status }, serves ? { answer: 1n } : { malformed: true })
    expect(shown).toEqual({ ...values, status, servesLatestRoundData: serves })
  }
})
