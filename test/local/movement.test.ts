import { expect, test } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { startGateway } from '../../local/gateway.ts'
import { createMovement, cyclingSymbol, findCycling, startMovement } from '../../local/movement.ts'
import { startSandbox } from '../../local/sandbox.ts'
import { onChainStatuses } from '../../local/stand-in-feed.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'

const startedAt = 1_795_000_000
const feeds = toStandInFeeds('mainnet', registry.mainnet, startedAt)
const addressOf = (symbol: string) => registry.mainnet.find(one => one.symbol === symbol)?.address
const started = (symbol: string) => feeds.find(({ address }) => address === addressOf(symbol))
const cycling = addressOf(cyclingSymbol)

test('every feed that is OK, and no other, has the next price of its sequence at the given time', () => {
  const moveAt = createMovement(feeds, undefined)
  const first = moveAt(startedAt + 5, 5)
  expect(first.map(({ address }) => address)).toEqual(
    feeds.filter(({ status }) => status === 'OK').map(({ address }) => address),
  )
  const find = (moved: typeof feeds, symbol: string) => moved.find(({ address }) => address === addressOf(symbol))
  expect(find(first, 'HIMS')).toEqual({
    ...started('HIMS'),
    answer: 4_801_379_532n,
    sharePrice: 4_801_379_532n,
    observedAt: startedAt + 5,
  })
  const second = moveAt(startedAt + 10, 10)
  expect(find(second, 'HIMS')).toMatchObject({ answer: 4_802_820_234n, observedAt: startedAt + 10 })
  // The answer of a total-return price stays one unit above the product.
  const { answer = 0n, sharePrice = 0n, multiplier = 0n } = find(second, 'AAPL') ?? {}
  expect(answer - (sharePrice * multiplier) / 10n ** 18n).toBe(1n)
})

test('a price moves by up to 10 basis points of its start, stays within 5 % of it, and is the same in every run', () => {
  const walk = () => {
    const moveAt = createMovement(feeds, undefined)
    return Array.from({ length: 20_000 }, (_, step) => moveAt(startedAt + step, step)[0]?.sharePrice ?? 0n)
  }
  const prices = walk()
  const { sharePrice: start = 0n } = started('AAPL') ?? {}
  const steps = prices.map((price, index) => Number(price - (prices[index - 1] ?? start)) / Number(start))
  const offsets = prices.map(price => Number(price - start) / Number(start))
  const largest = (values: number[]) => Math.max(...values.map(Math.abs)).toFixed(4)
  expect([largest(steps), largest(offsets)]).toEqual(['0.0010', '0.0500'])
  expect(walk()).toEqual(prices)
})

test('one feed goes through all statuses in two minutes: OK at its price, the others as other feeds have them', () => {
  const moveAt = createMovement(feeds, cycling)
  const states = Array.from({ length: 240 }, (_, second) =>
    moveAt(startedAt + second, second).find(({ address }) => address === cycling),
  )
  const statuses = states.map(state => state?.status)
  const cycle = onChainStatuses.flatMap(status => statuses.slice(0, 120).filter(one => one === status))
  expect(statuses).toEqual([...cycle, ...cycle])
  expect(onChainStatuses.map(status => cycle.filter(one => one === status).length)).toEqual([
    18, 17, 17, 17, 17, 17, 17,
  ])
  states.forEach((state, second) => {
    const example = feeds.find(({ status }) => status === state?.status)
    expect(state?.observedAt).toBe(state?.status === 'OK' ? startedAt + second : example?.observedAt)
  })
})

test('the feed that goes through all statuses is SHOP, or else the first one that is OK', () => {
  const others = feeds.filter(({ address }) => address !== cycling)
  const firstOk = others.find(({ status }) => status === 'OK')?.address
  expect(cycling).toMatch(/^0x/)
  expect(findCycling(feeds, cycling)).toBe(cycling)
  expect([findCycling(others, cycling), findCycling(others, undefined)]).toEqual([firstOk, firstOk])
  expect(findCycling(feeds, addressOf('CRWD'))).toBe(feeds.find(({ status }) => status === 'OK')?.address)
  expect(findCycling([], cycling)).toBe(undefined)
})

test('npm start serves new prices: the sequence, at the time of the chain, in new blocks', async () => {
  await using sandbox = await startSandbox({ mainnet: 'embedded', testnet: 'embedded' })
  let nowMs = 0
  const gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0, nowMs: () => nowMs })
  const { mainnet } = sandbox.chains
  if (mainnet === undefined) throw new Error('There is no mainnet.')
  const read = async (): Promise<Record<string, number>> => {
    nowMs += 10_000
    return JSON.parse(await (await fetch(`${gateway.baseUrl}/price/HIMS`)).text())
  }
  const before = await read()
  const stop = startMovement(mainnet, cycling)
  await expect
    .poll(async () => (await read())['observedAt'], { timeout: 15_000 })
    .toBeGreaterThan(before['observedAt'] ?? NaN)
  await stop()
  const after = await read()
  const moveAt = createMovement(mainnet.feeds, cycling)
  const expected = Array.from({ length: 4 }, () =>
    String(moveAt(0, 0).find(({ address }) => address === addressOf('HIMS'))?.answer),
  )
  expect(expected).toContain(after['answerRaw'])
  expect(after).toMatchObject({ status: 'OK', servesLatestRoundData: true, feed: addressOf('HIMS') })
  expect(after['block']).toBeGreaterThan(before['block'] ?? NaN)
  await gateway.stop()
}, 60_000)
