import { expect, test } from 'vitest'
import { networks } from '../../../smoke/contract.ts'
import { fieldsOf, parseJson } from '../../../smoke/json.ts'
import { findRecordFaults } from '../../../smoke/promises/record.ts'

const feed = '0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77'
const token = '0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931'
const text = `{"symbol":"CRWD","network":"Robinhood Chain","chainId":4663,"status":"Market closed","servesLatestRoundData":true,
"price":1079.9,"sharePrice":269.975,"multiplier":4,"observedAt":1790984206,"observedAtIso":"2026-10-02T23:36:46.000Z",
"ageSeconds":4218561,"answerRaw":"107990000000","decimals":8,"feed":"${feed}","token":"${token}",
"explorer":{"feed":"https://explorer.example/address/${feed}","token":"https://explorer.example/address/${token}"},
"block":79242033,"readAt":"2026-11-20T19:26:07.106Z"}`

const faultsOf = (changed: string) => {
  const [network] = networks
  if (network === undefined) throw new Error('There is no network')
  return findRecordFaults(fieldsOf(parseJson(changed)), network)
}

test('the record of the specification has no fault', () => {
  expect(faultsOf(text)).toEqual([])
})

test('a feed that holds no price has nulls, and names what reverts', () => {
  const empty = text
    .replace('true', 'false,"latestRoundDataReverts":"NoHistory"')
    .replace(/("(?:price|sharePrice|multiplier|observedAt|observedAtIso|ageSeconds)"):[^,]+/g, '$1:null')
  expect(faultsOf(empty)).toEqual([])
})

test.each([
  ['"symbol":"CRWD",', '', 'lacks symbol'],
  ['"block"', '"stack":1,"block"', 'has a field "stack"'],
  [/("feed":"0x\w+"),("token":"0x\w+")/, '$2,$1', 'has token out of its order'],
  ['4663', '46630', 'chainId is 46630'],
  ['Robinhood Chain', 'Robinhood', 'network is "Robinhood"'],
  ['Market closed', 'Closed', 'status is "Closed"'],
  ['true', '"true"', 'servesLatestRoundData is "true"'],
  ['true', 'true,"latestRoundDataReverts":"Panic"', 'latestRoundDataReverts stands beside servesLatestRoundData'],
  ['1079.9', '"1079.9"', 'price is "1079.9"'],
  ['"107990000000"', '107990000000', 'answerRaw is 107990000000'],
  ['"decimals":8', '"decimals":18', 'decimals is 18'],
  ['46.000Z', '46Z', 'observedAtIso is "2026-10-02T23:36:46Z"'],
  ['46.000Z', '47.000Z', 'observedAtIso is not 1790984206'],
  ['4218561', '4218560', 'ageSeconds is 4218560, and readAt is 4218561 s after observedAt'],
  [`address/${token}`, 'address/0x', 'explorer.token is "https://explorer.example/address/0x"'],
  ['07.106Z', '07Z', 'readAt is "2026-11-20T19:26:07Z"'],
])('%s as %s is a fault', (from, to, fault) => {
  expect(faultsOf(text.replace(from, to))).toEqual([fault])
})

test('what is no object lacks everything', () => {
  expect(faultsOf('[]')).toContain('lacks symbol')
})
