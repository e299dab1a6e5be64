import { getAddress } from 'viem'
import type { StandInFeed } from './stand-in-feed.ts'

/** An entry of the registry. */
export type RegisteredFeed = { symbol: string; address: string; token: string }

/**
 * Creates plausible, invented states for the registered feeds of a network (D28).
 *
 * The mainnet's feeds have every status between them. A feed that is not in the table is `OK`, at a price derived from its
 * symbol.
 *
 * @param startedAt when the chain starts, Unix seconds: most observations are a few seconds older
 */
export function toStandInFeeds(
  network: string,
  registered: readonly RegisteredFeed[],
  startedAt: number,
): StandInFeed[] {
  const states = statesOf[network]?.(startedAt) ?? {}
  return registered.map(({ symbol, address, token }) => ({
    address: getAddress(address),
    token: getAddress(token),
    ...(states[symbol] ?? state({ sharePrice: sharePriceOf(symbol), observedAt: startedAt - 5 })),
  }))
}

/** The states of the feeds that have others than `OK`, or a real price, by network. */
const statesOf: Readonly<Record<string, (startedAt: number) => Record<string, State>>> = {
  mainnet: mainnetStates,
  testnet: testnetStates,
}

type State = Omit<StandInFeed, 'address' | 'token'>

/**
 * When the market closed last: at 1:00 UTC from Tuesday to Saturday, which is 20:00 in New York in winter.
 *
 * The real feed is `Market closed` at a price that was observed shortly before, and `Stale` at an older one. Holidays are not known here.
 */
export function findLastClose(seconds: number): number {
  const close = new Date((seconds - 3_600) * 1_000)
  close.setUTCHours(0, 0, 0, 0)
  const daysBack: Record<number, number> = { 0: 1, 1: 2 }
  return close.getTime() / 1_000 + 3_600 - 86_400 * (daysBack[close.getUTCDay()] ?? 0)
}

/** CRWD has the real feed's price of 3 October 2026. AAPL wraps a total-return price, so its answer is given. */
function mainnetStates(startedAt: number): Record<string, State> {
  const observedAt = startedAt - 3
  const beforeClose = findLastClose(startedAt) - 34
  return {
    AAPL: totalReturn({ answer: 27_184_930_217n, multiplier: 1_000_566_080_061_092_436n, observedAt }),
    AMC: state({ status: 'STALE', sharePrice: 2_87000000n, observedAt: startedAt - 9_000 }),
    AVGO: state({ sharePrice: 352_41500000n, multiplier: 1_001_902_771_340_058_117n, observedAt }),
    BA: state({ status: 'ORACLE_PAUSED', sharePrice: 214_08000000n, observedAt: startedAt - 640 }),
    CCL: state({ sharePrice: 28_73250000n, observedAt }),
    COST: state({ sharePrice: 931_26000000n, multiplier: 1_000_688_412_903_551_006n, observedAt: startedAt - 1 }),
    CRWD: state({
      status: 'MARKET_CLOSED',
      sharePrice: 269_97500000n,
      multiplier: 4n * one,
      observedAt: beforeClose,
    }),
    F: state({ sharePrice: 12_94500000n, multiplier: 1_009_120_448_300_117_902n, observedAt }),
    GLD: state({
      status: 'MARKET_CLOSED',
      sharePrice: 385_17000000n,
      observedAt: beforeClose,
      servesWhenClosed: false,
    }),
    HIMS: state({ sharePrice: 48_02340000n, observedAt }),
    IBM: state({ sharePrice: 301_55000000n, multiplier: 1_005_447_209_118_640_331n, observedAt: startedAt - 12 }),
    JNJ: state({ status: 'CORPORATE_ACTION', sharePrice: 189_34000000n, observedAt: startedAt - 1_800 }),
    LLY: state({ sharePrice: 882_60120000n, multiplier: 1_000_741_990_226_804_500n, observedAt }),
    LMT: state({ sharePrice: 480_19000000n, multiplier: 1_006_330_015_772_094_863n, observedAt }),
    NFLX: state({ status: 'STRADDLE', sharePrice: 110_29000000n, multiplier: 10n * one, observedAt: startedAt - 900 }),
    PFE: state({ sharePrice: 25_11750000n, multiplier: 1_013_904_336_582_901_745n, observedAt }),
    RBLX: state({ sharePrice: 121_48000000n, observedAt: startedAt - 2 }),
    RDDT: state({ sharePrice: 203_77000000n, observedAt }),
    RIVN: state({ sharePrice: 14_06000000n, observedAt }),
    SHOP: state({ sharePrice: 158_90500000n, observedAt }),
    SNAP: noData,
  }
}

function testnetStates(startedAt: number): Record<string, State> {
  const observedAt = startedAt - 30
  return {
    AMD: state({ sharePrice: 236_78000000n, observedAt }),
    AMZN: state({ status: 'ORACLE_PAUSED', sharePrice: 232_14000000n, observedAt: startedAt - 640 }),
    labTSLA: state({
      status: 'STRADDLE',
      sharePrice: 430_17000000n,
      multiplier: 3n * one,
      observedAt: startedAt - 900,
    }),
    NFLX: state({ status: 'STALE', sharePrice: 110_29000000n, multiplier: 10n * one, observedAt: startedAt - 9_000 }),
    PLTR: noData,
    TSLA: state({ sharePrice: 430_17000000n, observedAt }),
  }
}

const one = 10n ** 18n

/** A feed whose answer is the share price times the multiplier. Defaults: `OK`, one share per token. */
function state(given: Partial<State> & Pick<State, 'sharePrice' | 'observedAt'>): State {
  const { sharePrice, multiplier = one } = given
  return { status: 'OK', servesWhenClosed: true, ...given, multiplier, answer: (sharePrice * multiplier) / one }
}

/** A feed whose share price is a total-return price divided by the multiplier: the product can be one unit below the answer. */
function totalReturn(given: Pick<State, 'answer' | 'multiplier' | 'observedAt'>): State {
  return { status: 'OK', servesWhenClosed: true, sharePrice: (given.answer * one) / given.multiplier, ...given }
}

const noData: State = {
  status: 'NO_DATA',
  answer: 0n,
  sharePrice: 0n,
  multiplier: 0n,
  observedAt: 0,
  servesWhenClosed: true,
}

/** Derives a price between 10 and 500 dollars from a symbol. */
function sharePriceOf(symbol: string): bigint {
  const mixed = [...Buffer.from(symbol)].reduce((sum, byte) => (sum * 31n + BigInt(byte)) % 49_000n, 0n)
  return 10_00000000n + mixed * 1_000_000n
}
