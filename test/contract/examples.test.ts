import { parseUnits } from 'viem'
import { robinhood, robinhoodTestnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { decodeFeed } from '../../lambda/chain/decode-feed.ts'
import { toPriceList } from '../../lambda/feeds/price-list.ts'
import {
  type FeedReading,
  type FeedStatus,
  toPriceRecord,
  type UnreadableFeed,
} from '../../lambda/feeds/price-record.ts'
import { type Feed, findFeed } from '../../lambda/feeds/registry.ts'
import { toUnknownSymbol } from '../../lambda/feeds/unknown-symbol.ts'
import { formatNetworks, type Network } from '../../lambda/networks.ts'
import { Problem, problemSlugs } from '../../lambda/problems.ts'
import { encodeRow, reverted } from '../support/chain/encoding.ts'
import { allExamples, allResponses, allSchemas } from '../support/contract/document.ts'
import { validate } from '../support/contract/documented.ts'

const examplesOf = (response: string) =>
  allExamples.filter(example => example.response === response).map(({ name, value }) => [name, value] as const)

const isOptional = (field: string) => field === 'latestRoundDataReverts'
/** What a feed without data has no value for (D10). */
const nullable = ['price', 'sharePrice', 'multiplier', 'observedAt', 'observedAtIso', 'ageSeconds']

/** Alters one thing at a time, at any depth: adds a field, leaves one out, sets one to null. */
function* alter(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) for (const altered of alter(entry)) yield value.with(index, altered)
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, another: 'field' }
    for (const [name, field] of Object.entries(value)) {
      if (!isOptional(name)) yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      if (!nullable.includes(name)) yield { ...value, [name]: null }
      for (const altered of alter(field)) yield { ...value, [name]: altered }
    }
  }
}

const examples = new Set(allExamples.map(({ value }) => JSON.stringify(value)))

test.each(allExamples)('the example $name of $response is valid, and nothing else like it', ({ schema, value }) => {
  expect(validate(schema, value, 'example')).toEqual([])
  const accepted = [...alter(value)].filter(altered => validate(schema, altered, 'example').length === 0)
  expect(accepted.filter(altered => !examples.has(JSON.stringify(altered)))).toEqual([])
})

/** A record, or what a list has in place of one. */
interface Entry {
  readonly symbol: string
  readonly problem?: object
  readonly status: FeedStatus
  readonly answerRaw: string
  readonly observedAt: number | null
  readonly sharePrice: number | null
  readonly multiplier: number | null
  readonly latestRoundDataReverts?: string
}

interface Head {
  readonly block: number
  readonly readAt: string
}

/** What a feed that reverts without data is. */
const toReverted = (feed: Feed) => decodeFeed(feed, encodeRow(reverted('0x'), reverted('0x')).slice(2))

/** The reading from which the service makes an entry. */
function toReading(network: Network, entry: Entry): FeedReading | UnreadableFeed {
  const feed = feedOf(network, entry)
  if ('problem' in entry) return toReverted(feed)
  const { status, answerRaw, observedAt, sharePrice, multiplier, latestRoundDataReverts: reverts } = entry
  const answer = BigInt(answerRaw)
  const scale = (value: number | null, decimals: number) => parseUnits(String(value ?? 0), decimals)
  return {
    feed,
    detail: {
      status,
      answer,
      observedAt: observedAt ?? 0,
      sharePrice: scale(sharePrice, 8),
      multiplier: scale(multiplier, 18),
    },
    round: reverts === undefined ? { answer } : { reverts },
  }
}

const feedOf = (network: Network, { symbol }: Pick<Entry, 'symbol'>) => {
  const feed = findFeed(network, symbol)
  if (feed === undefined) throw new Error(`There is no feed ${symbol}`)
  return feed
}

test.each(examplesOf('Price'))(
  'the record “%s” is exactly what the service makes of such a feed (D4, D9, D10, D15)',
  (_, value) => {
    const entry = value as Entry & Head
    const reading = toReading('mainnet', entry)
    if ('unreadable' in reading) throw new Error(reading.unreadable)
    const head = { chain: robinhood, block: entry.block, readAt: new Date(entry.readAt) }
    expect(JSON.stringify(value)).toBe(JSON.stringify(toPriceRecord(reading, head)))
  },
)

test('the list is exactly what the service makes of such feeds (D17, D18)', () => {
  const [[, value] = []] = examplesOf('PriceList')
  const { block, readAt, feeds } = value as Head & { readonly feeds: readonly Entry[] }
  const head = { chain: robinhoodTestnet, block, readAt: new Date(readAt) }
  const toUrl = ({ symbol }: Feed) => `https://prices.example/v1/price/${symbol}?network=testnet`
  const list = toPriceList(
    head,
    feeds.map(entry => toReading('testnet', entry)),
    toUrl,
  )
  expect(JSON.stringify(value)).toBe(JSON.stringify(list))
})

describe('the problems (D19)', () => {
  const unreadable = toReverted(feedOf('mainnet', { symbol: 'CRWD' }))
  const known = [
    new Problem('unknown-network', { networks: formatNetworks() }),
    toUnknownSymbol('mainnet', 'NONE'),
    toUnknownSymbol('testnet', 'CRWD'),
    new Problem('unknown-route'),
    new Problem('too-many-requests'),
    ...('unreadable' in unreadable ? [new Problem('feed-unreadable', { reason: unreadable.unreadable })] : []),
    new Problem('chain-unavailable'),
    new Problem('not-configured'),
    new Problem('internal'),
  ]

  test('are exactly those of the service', () => {
    const types = new Set(known.map(({ document }) => document.type))
    expect([...types]).toEqual(problemSlugs.map(slug => `urn:problem-type:price-lookup:${slug}`))
    const documented = Object.values(allSchemas).flatMap(({ properties }) => {
      const type = Object(properties).type?.const
      return type === undefined || type === 'about:blank' ? [] : [type]
    })
    expect(new Set(documented)).toEqual(types)
  })

  test.each(known)('$slug has an example that is exactly its document', ({ document, retryAfterSeconds }) => {
    const same = allExamples.filter(({ value }) => JSON.stringify(value) === JSON.stringify(document))
    expect(same).not.toEqual([])
    for (const { response } of same) {
      const retryAfter = allResponses[response]?.headers['Retry-After']?.schema['const']
      expect(retryAfter).toBe(retryAfterSeconds)
    }
  })

  test('have no other examples than the gateway’s own', () => {
    const texts = new Set(known.map(({ document }) => JSON.stringify(document)))
    const others = allExamples.filter(({ value }) => 'detail' in Object(value) && !texts.has(JSON.stringify(value)))
    expect(others.map(({ name, value }) => [name, Object(value).status])).toEqual([
      ['about:blank', undefined],
      ['unsupported media type', 415],
      ['internal', 502],
      ['internal, broken', 502],
      ['internal, too slow', 504],
      ['internal, in the gateway', undefined],
    ])
  })
})
