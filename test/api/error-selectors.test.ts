import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { errorSelectors } from '../../api/error-selectors.ts'

test('the selectors are the first four bytes of the hashes of the errors', () => {
  const signatures = ['FeedUnavailable(uint8)', 'NoHistory()', 'Error(string)', 'Panic(uint256)']
  const computed = signatures.map(signature => [signature.replace(/\(.*/, ''), toFunctionSelector(signature)])
  expect(errorSelectors).toEqual(Object.fromEntries(computed))
})
