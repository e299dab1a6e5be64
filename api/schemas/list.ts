import { z } from 'zod'
import type { ProblemBody } from '../problems.ts'
import type { PriceRoute } from '../routes.ts'
import { problemBody } from './problem-body.ts'
import { priceRecord, type WithExactFields } from './record.ts'

export const listedPrice = priceRecord
  .extend({
    name: z.string().min(1).describe('The company or fund.'),
    maxAgeSeconds: z
      .int()
      .min(1)
      .describe(
        "The feed's limit of age in seconds, a constant: a price that is older than this at the time of the block no " +
          "longer has the status `OK`. It is from this service's configuration, not read from the chain.",
      ),
    url: z.url().describe("The absolute URL of this feed's price, with `?network=testnet` on the testnet."),
  })
  .meta({
    id: 'ListedPrice',
    description: "A feed's record, the name of its company or fund, its limit of age, and the URL of its price.",
  })

type ListedPrice<Decimal> = WithExactFields<z.infer<typeof listedPrice>, Decimal>

export const unreadableFeed = listedPrice
  .pick({ symbol: true, name: true, maxAgeSeconds: true, feed: true, token: true, explorer: true, url: true })
  .extend({ problem: problemBody })
  .meta({ id: 'UnreadableFeed', description: 'A feed that cannot be read, and why.' })

export type UnreadableFeed = Readonly<Omit<z.infer<typeof unreadableFeed>, 'problem'> & { problem: ProblemBody }>

export const priceList = priceRecord
  .pick({ network: true, chainId: true, block: true, readAt: true })
  .extend({
    feeds: z
      .array(z.union([listedPrice, unreadableFeed]))
      .describe('One entry for each feed, in order of their symbols.'),
  })
  .meta({
    id: 'PriceList',
    description: 'Every feed of a network, with the block and the time at which all of them were read.',
  })

export type PriceList<Decimal> = Readonly<
  Omit<z.infer<typeof priceList>, 'feeds'> & { readonly feeds: readonly (ListedPrice<Decimal> | UnreadableFeed)[] }
>

export const bodies = { PriceList: priceList, PriceRecord: priceRecord } as const satisfies Record<
  PriceRoute['body'],
  z.ZodType
>
