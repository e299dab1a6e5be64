import { z } from 'zod'
import { errorSelectors } from '../error-selectors.ts'
import { keysOf } from '../keys-of.ts'
import { networkFacts, networks, type ServedChain } from '../networks.ts'
import { type FeedStatus, feedStatuses, statusDetails, statusMeanings, statusServed, statusTerms } from '../statuses.ts'

// The schemas forbid further fields, for our own checks; the API's description does not (D30).

/** The fields whose digits a double could round. */
const exactFields = ['price', 'sharePrice', 'multiplier'] as const

/** A record whose exact numbers have another type than JSON's doubles, such as the text of their digits. */
export type WithExactFields<Body, Decimal> = Readonly<Omit<Body, ExactField> & Record<ExactField, Decimal | null>>
type ExactField = (typeof exactFields)[number]

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const chains: readonly ServedChain[] = networks.map(name => networkFacts[name].chain)
const positiveDecimal = z.number().positive().meta({ format: 'decimal' }).nullable()

const feedStatus = z.enum(feedStatuses).meta({
  id: 'FeedStatus',
  description: `The feed's own status, with what is true whenever the feed has it, in the order in which the feed decides. Whether
the feed serves its price is read from the contract and never inferred from the status: see \`servesLatestRoundData\`.

${keysOf(statusMeanings).map(formatStatus).join('\n')}

What the words in these texts stand for:

${statusTerms}`,
})

/** Formats a status as an item of a list in Markdown. */
function formatStatus(status: FeedStatus): string {
  return `- \`${status}\`: ${statusMeanings[status]} Served: ${statusServed[status]}. ${statusDetails[status]}`
}

/** Where the fields of a record are from. */
export const recordOrigin =
  'Everything in a record that is read from the chain comes from one `eth_call`, and so from one block. The ' +
  "symbol, the network's name, `decimals`, the addresses and the links are constants of this service. `readAt` and " +
  "`ageSeconds` depend on the service's clock."

/** The feed price record, its fields in the specification's order. */
export const priceRecord = z
  .strictObject({
    symbol: z
      .string()
      .min(1)
      .describe("The ticker with which the feed's `description()` begins. It changes only with a new feed."),
    network: z.enum(chains.map(({ name }) => name)).describe('The display name of the network that was read.'),
    chainId: z
      .literal(chains.map(({ id }) => id))
      .meta({ type: 'integer' })
      .describe(
        `The chain id of the network that was read: ${networkFacts.mainnet.chain.id} is the mainnet, ` +
          `${networkFacts.testnet.chain.id} the testnet.`,
      ),
    status: feedStatus,
    servesLatestRoundData: z
      .boolean()
      .describe(
        'Whether `latestRoundData()`, the call that a lending market makes, returned the same answer as ' +
          '`latestDetail()`, at this block and its time. True does not prove that the price is right: see *A served ' +
          'price can be wrong*. False without `latestRoundDataReverts`: the call returned something else.',
      ),
    latestRoundDataReverts: z
      .string()
      .regex(/^(FeedUnavailable|NoHistory|Error|Panic|0x[0-9a-f]{8}|unnamed)$/)
      .optional()
      .describe(
        "Present only if `latestRoundData()` reverted: the name of the error (as a rule the feed's `FeedUnavailable`, " +
          'or its `NoHistory`, or `Error` or `Panic` of Solidity), the four-byte selector of an unknown error ' +
          '(`0x1234abcd`), or `unnamed` for a revert without a selector. The selector of `FeedUnavailable` is ' +
          `\`${errorSelectors.FeedUnavailable}\`, that of \`NoHistory\` \`${errorSelectors.NoHistory}\`. The argument of ` +
          `\`FeedUnavailable\` is the number of the status: ${feedStatuses.map((label, value) => `${value} ${label}`).join(', ')}.`,
      ),
    price: positiveDecimal.describe(
      "US dollars per token, exact: the feed's own answer, scaled. As a rule the feed computed it as `sharePrice` " +
        'times `multiplier` and rounded it down, so the exact product may be higher, by less than 10⁻⁸. A total-return ' +
        'feed (AAPL) holds the price itself: there the product may be lower, by less than `multiplier` times 10⁻⁸. ' +
        'Null if the answer is not positive. A feed serves an answer of zero like any other: `answerRaw` is then "0". ' +
        'The feed may hold a price that it does not serve.',
    ),
    sharePrice: positiveDecimal.describe(
      'US dollars per share, exact: the share price that the feed holds. A total-return feed (AAPL) derives ' +
        'it: `price` divided by `multiplier`, rounded down, and so possibly zero where the price is not. Null if it ' +
        'is not positive.',
    ),
    multiplier: positiveDecimal.describe(
      'Shares per token (ERC-8056), exact, up to 18 decimals. As a rule it is the multiplier in force when the price was ' +
        'observed. Under `Straddle` always, and under `Oracle paused` and for a total-return feed (AAPL) possibly, it is ' +
        'the multiplier at the block. It may also be a later one, and `price` wrong, or the `sharePrice` of a ' +
        'total-return feed: see *A served price can be wrong*. Null if it is zero, as under `No data`.',
    ),
    observedAt: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'When the price was observed, or the time of the block if that is earlier, in Unix seconds. Null if the ' +
          'feed returned zero, as under `No data`.',
      ),
    observedAtIso: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/)
      .meta({ format: 'date-time' })
      .nullable()
      .describe('The same time in UTC, ISO 8601 with milliseconds. Null if `observedAt` is.'),
    ageSeconds: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Whole seconds from `observedAt` to `readAt`, never negative. Null if `observedAt` is. On the mainnet, until the ' +
          'end of 2028, a served price is at most 3.4 days old, that of AAPL at most 4.2: the longest closure, 75 hours ' +
          "by the feeds' calendar as deployed, and the feed's own limit. A smaller bound of your own, such as the three days that " +
          "the feeds' authors advise, refuses prices that the feed serves; a larger one guards against a wrong calendar. " +
          'On the testnet, which is often idle, a served price can be of any age.',
      ),
    answerRaw: z
      .string()
      .regex(/^(0|-?[1-9]\d*)$/)
      .describe(
        'The exact on-chain answer as a decimal integer in a string. Divided by ten to the power of `decimals` it is ' +
          '`price`, unless `price` is null.',
      ),
    decimals: z.literal(8).meta({ type: 'integer' }).describe('Decimals of `answerRaw`, a constant of the feeds.'),
    feed: address.describe('The feed contract, with checksum (ERC-55).'),
    token: address.describe('The token contract, with checksum (ERC-55).'),
    explorer: z
      .strictObject({ feed: z.url().describe('The feed contract.'), token: z.url().describe('The token contract.') })
      .meta({ id: 'Explorer', description: 'Links to the block explorer.' }),
    block: z.int().min(0).describe("The number of the block that was read, the chain's own (L2) number."),
    readAt: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
      .meta({ format: 'date-time' })
      .describe("When the reply that is served arrived, by the service's clock: UTC, ISO 8601 with milliseconds."),
  })
  .meta({
    id: 'PriceRecord',
    description: `The feed price record. ${recordOrigin}`,
  })

export type PriceRecord<Decimal> = WithExactFields<z.infer<typeof priceRecord>, Decimal>
