import { getAddress, isAddress } from 'viem/utils'
import { z } from 'zod'
import { ofEachNetwork } from '../networks.ts'
import { symbolPattern } from '../symbol.ts'

/** A registry before its check. The errors name its networks and symbols. */
type Registry = Readonly<Record<string, readonly { readonly symbol?: string }[]>>

/**
 * Checks the registry. Every synthesis of a stack and every start of the local run call this function.
 *
 * @returns a sentence for each error, with the network and the symbol
 * @example
 * findRegistryErrors(registry) // []
 */
export function findRegistryErrors(registry: Registry): readonly string[] {
  const { error } = registrySchema.safeParse(registry)
  const issues = error?.issues ?? []
  return issues.map(({ path: [network, index, field], message }) => {
    const { symbol } = registry[String(network)]?.[Number(index)] ?? {}
    const place = [network, symbol, field].filter(name => name !== undefined)
    return place.length === 0 ? message : `${place.join(' ')}: ${message}`
  })
}

// `isAddress` accepts an address with its checksum, or in lower case. The error has the checksum of an address in lower
// case alone: a new checksum would make a mistyped address look right.
const addressSchema = z.string().refine(text => isAddress(text) && text === getAddress(text), {
  error({ input }) {
    const hint = isAddress(String(input)) ? `, which is ${getAddress(String(input))}` : ''
    return `${input} is not an address with its checksum (ERC-55)${hint}.`
  },
})

const feedSchema = z.strictObject({
  symbol: z
    .string()
    .regex(symbolPattern, 'A symbol has 1 to 20 letters, digits, ".", "_" or "-". It begins with neither "." nor "-".'),
  // The board has room for 40 characters below the symbol.
  name: z.string().regex(/^\S(.{0,38}\S)?$/, 'A name has 1 to 40 characters, and no white space at its ends.'),
  address: addressSchema,
  token: addressSchema,
  // The contract's `maxAge()`, a constant of 32 bits.
  maxAgeSeconds: z
    .int()
    .min(1)
    .max(2 ** 32 - 1),
})

/**
 * The number of feeds that one call can read. Init code returns at most 24,576 bytes: 3 words of 32 bytes, and 13 for
 * each feed.
 *
 * @see https://eips.ethereum.org/EIPS/eip-170
 */
export const maxFeeds = 58

const feedsSchema = z
  .array(feedSchema)
  .min(1)
  .max(maxFeeds, `A network has at most ${maxFeeds} feeds: one call returns no more (EIP-170).`)
  .superRefine((feeds, context) => {
    const seen = new Map<string, string>()
    for (const [index, { symbol, address, token }] of feeds.entries()) {
      for (const [field, text] of Object.entries({ symbol, address, token })) {
        const folded = text.toLowerCase()
        const place = seen.get(folded)
        if (place !== undefined)
          context.addIssue({ code: 'custom', path: [index, field], message: `${text} is already the ${place}.` })
        seen.set(folded, `${field} of ${symbol}`)
      }
    }
  })

const registrySchema = z.strictObject(ofEachNetwork(() => feedsSchema))
