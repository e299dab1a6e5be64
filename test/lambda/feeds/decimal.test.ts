import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRawNumber } from '../../../lambda/feeds/decimal.ts'

test('an integer is written with every digit, as JSON that reads back to it (D3)', () => {
  const examples: [bigint, number][] = [0n, -1n, 1_00000000n, 1_000_566_080_061_092_436n].map(integer => [integer, 8])
  const int256 = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(int256, fc.constantFrom(0, 8, 18), (integer, decimals) => {
      const text = JSON.stringify(toRawNumber(integer, decimals))
      // JSON's grammar without exponents, trailing zeros and -0.
      expect(text).toMatch(/^(?!-0$)-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
      const [whole = '', fraction = ''] = text.split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(integer)
    }),
    { examples },
  )
})
