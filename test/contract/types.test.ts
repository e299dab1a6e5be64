import type { FromSchema } from 'json-schema-to-ts'
import type { Address } from 'viem'
import { expectTypeOf, test } from 'vitest'
import type { ExactNumber } from '../../lambda/feeds/decimal.ts'
import type { PriceList } from '../../lambda/feeds/price-list.ts'
import type { FeedStatus, PriceRecord } from '../../lambda/feeds/price-record.ts'
import type { ProblemDocument, ProblemSlug } from '../../lambda/problems.ts'
import type { schemas } from './schemas.ts'

/** What openapi.yaml says under a name; nothing happens at run time here, the compiler is what passes or fails. */
type Described<name extends keyof typeof schemas> = FromSchema<(typeof schemas)[name]>

/** What openapi.yaml knows better than our types; other tests hold the values to it. */
interface Pinned {
  readonly network: 'Robinhood Chain' | 'Robinhood Chain Testnet'
  readonly chainId: 4663 | 46630
  readonly decimals: 8
  readonly problem: Described<'FeedUnreadable'>
}

/**
 * What becomes of our types in JSON: an exact number is a number, an address a text, and nothing is read-only there.
 *
 * A pinned field stays itself as far as our type allows what is pinned, and is `never` otherwise.
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

/** The documented problems that the service itself words. */
type DescribedProblem = Described<
  | 'UnknownNetwork'
  | 'UnknownSymbol'
  | 'UnknownRoute'
  | 'TooManyRequests'
  | 'FeedUnreadable'
  | 'ChainUnavailable'
  | 'NotConfigured'
  | 'Internal'
>

/** The same type for each field, and the fields no narrower than a text or a number. */
type Widened<type> = { [field in keyof type]: type[field] extends string ? string : number }

test('the record is the documented one: its fields, what may be null or missing, its statuses (D9, D10, D12)', () => {
  expectTypeOf<InJson<PriceRecord>>().toEqualTypeOf<Described<'PriceRecord'>>()
  expectTypeOf<FeedStatus>().toEqualTypeOf<Described<'FeedStatus'>>()
})

test('the list is the documented one, and its entries (D17, D18)', () => {
  type Entry = InJson<PriceList>['feeds'][number]
  expectTypeOf<Entry>().toEqualTypeOf<Described<'ListedPrice'> | Described<'UnreadableFeed'>>()
  expectTypeOf<InJson<PriceList>>().toEqualTypeOf<Described<'PriceList'>>()
})

test('every documented problem is a problem document, and there is one for every word of ours (D19)', () => {
  expectTypeOf<DescribedProblem>().toExtend<ProblemDocument>()
  expectTypeOf<DescribedProblem['type']>().toEqualTypeOf<`urn:problem-type:price-lookup:${ProblemSlug}`>()
  expectTypeOf<Widened<DescribedProblem>>().toEqualTypeOf<Widened<InJson<ProblemDocument>>>()
})
