import type { FromSchema } from 'json-schema-to-ts'
import type { Address } from 'viem'
import { expectTypeOf, test } from 'vitest'
import type { ExactNumber } from '../../lambda/feeds/decimal.ts'
import type { PriceList } from '../../lambda/feeds/price-list.ts'
import type { FeedStatus, PriceRecord } from '../../lambda/feeds/price-record.ts'
import type { schemas } from '../support/contract/schemas.ts'

/** The type of a schema of openapi.yaml. The compiler runs these tests. */
type Described<name extends keyof typeof schemas> = FromSchema<(typeof schemas)[name]>

/** Types that openapi.yaml has narrower than ours. Other tests check the values. */
interface Pinned {
  readonly decimals: 8
  readonly problem: Described<'FeedUnreadable'>
}

/**
 * Our types in JSON: an exact number is a number, an address a string, and nothing is read-only.
 *
 * A pinned field has the pinned type if our type allows it, and is `never` otherwise.
 */
type InJson<type> = type extends ExactNumber
  ? number
  : type extends Address
    ? string
    : type extends readonly (infer entry)[]
      ? InJson<entry>[]
      : type extends object
        ? {
            -readonly [field in keyof type]: field extends keyof Pinned
              ? Pin<type[field], Pinned[field]>
              : InJson<type[field]>
          }
        : type

type Pin<type, pinned> = pinned extends type ? pinned : never

test('the record has the documented type: fields, null, optional fields and statuses (D9, D10, D12)', () => {
  expectTypeOf<InJson<PriceRecord>>().toEqualTypeOf<Described<'PriceRecord'>>()
  expectTypeOf<FeedStatus>().toEqualTypeOf<Described<'FeedStatus'>>()
})

test('the list and its entries have the documented types (D17, D18)', () => {
  type Entry = InJson<PriceList>['feeds'][number]
  expectTypeOf<Entry>().toEqualTypeOf<Described<'ListedPrice'> | Described<'UnreadableFeed'>>()
  expectTypeOf<InJson<PriceList>>().toEqualTypeOf<Described<'PriceList'>>()
})
