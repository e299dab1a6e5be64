import { readFileSync } from 'node:fs'
import { decodeAbiParameters, encodeFunctionResult, parseAbiParameters, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { errorSelectors } from '../../api/error-selectors.ts'
import { feedAbi } from '../support/chain/feed-abi.ts'

test('the selectors are the first four bytes of the hashes of the errors', () => {
  const signatures = ['FeedUnavailable(uint8)', 'NoHistory()', 'Error(string)', 'Panic(uint256)']
  const computed = signatures.map(signature => [signature.replace(/\(.*/, ''), toFunctionSelector(signature)])
  expect(errorSelectors).toEqual(Object.fromEntries(computed))
})

test.for([
  [
    { abi: feedAbi, functionName: 'latestRoundData', result: [7n, 107_990_000_000n, 7n, 7n, 7n] },
    [7n, 107_990_000_000n, 7n, 7n, 7n],
  ],
  [
    {
      abi: feedAbi,
      functionName: 'latestDetail',
      result: [{ status: 1, answer: 107_990_000_000n, observedAt: 7n }, 26_997_500_000n, 4n * 10n ** 18n],
    },
    [1, 107_990_000_000n, 7n, 26_997_500_000n, 4n * 10n ** 18n],
  ],
] as const)('the reference has the selector of $0.functionName, and a line that decodes it', ([returned, values]) => {
  const reference = readFileSync('docs/api.md', 'utf8')
  const call = `${returned.functionName}()`
  expect(reference).toContain(`\`${call}\` (selector \`${toFunctionSelector(call)}\`)`)
  const [, types = ''] = reference.split(`cast call $FEED '${call}(`)[1]?.match(/^(.*?)\)'/) ?? []
  expect(reference).toContain(`cast call $FEED '${call}(${types})' --block`)
  expect(decodeAbiParameters(parseAbiParameters(types), encodeFunctionResult(returned))).toEqual(values)
})
