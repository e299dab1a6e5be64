import { getAddress } from 'viem'
import type { StandInFeed } from './stand-in-feed.ts'

export type RegisteredFeed = { symbol: string; address: string; token: string; maxAgeSeconds: number }

/**
 * Creates plausible, invented states for the registered feeds of a network.
 *
 * The mainnet's feeds have every status between them. A feed that is not in the table is `OK`, at a price derived from
 * its symbol.
 *
 * @param startedAt when the chain starts, Unix seconds: most observations are a few seconds older
 */
export function toStandInFeeds(
  network: string,
  registered: readonly RegisteredFeed[],
  startedAt: number,
): StandInFeed[] {
  const states = statesOf[network]?.(startedAt) ?? {}
  return registered.map(({ symbol, address, token, maxAgeSeconds }) => ({
    symbol,
    address: getAddress(address),
    token: getAddress(token),
    maxAgeSeconds,
    ...(states[symbol] ?? state({ sharePrice: sharePriceOf(symbol), observedAt: startedAt - 5 })),
  }))
}

/** By network: the states of the feeds that have another status than `OK`, or a price that is not derived. */
const statesOf: Readonly<Record<string, (startedAt: number) => Record<string, State>>> = {
  mainnet: mainnetStates,
  testnet: testnetStates,
}

type State = Omit<StandInFeed, keyof RegisteredFeed>

/**
 * 25 hours, in seconds. A feed's limit is at most a day.
 *
 * @see https://github.com/Slate-Protocol/slate/blob/032791544a348538ce55223430f80cc2a6da90b3/contracts/script/Deploy.s.sol
 */
const longerThanLimits = 90_000

/**
 * How long before the start the market closed for the stand-ins: 26 hours, in seconds. A price of the close is older than
 * every limit. For the stand-ins, the market is closed at any time of the week.
 */
const sinceClose = 93_600

/**
 * The states of the mainnet's feeds. In each of them a real feed returns that status (`api/statuses.ts`).
 *
 * CRWD has the real feed's price of 3 October 2026. AAPL has a total-return price.
 */
function mainnetStates(startedAt: number): Record<string, State> {
  const observedAt = startedAt - 3
  const close = startedAt - sinceClose
  return {
    AAPL: totalReturn({ answer: 27_184_930_217n, multiplier: 1_000_566_080_061_092_436n, observedAt }),
    AMC: state({ status: 'Stale', sharePrice: 2_87000000n, observedAt: close - longerThanLimits }),
    AVGO: state({ sharePrice: 352_41500000n, multiplier: 1_001_902_771_340_058_117n, observedAt }),
    BA: state({ status: 'Oracle paused', sharePrice: 214_08000000n, observedAt: startedAt - 640 }),
    CCL: state({ sharePrice: 28_73250000n, observedAt }),
    COST: state({ sharePrice: 931_26000000n, multiplier: 1_000_688_412_903_551_006n, observedAt: startedAt - 1 }),
    CRWD: state({
      status: 'Market closed',
      sharePrice: 269_97500000n,
      multiplier: 4n * unit,
      observedAt: close - 34,
    }),
    F: state({ sharePrice: 12_94500000n, multiplier: 1_009_120_448_300_117_902n, observedAt }),
    GLD: state({ sharePrice: 385_17000000n, observedAt }),
    HIMS: state({ sharePrice: 48_02340000n, observedAt }),
    IBM: state({ sharePrice: 301_55000000n, multiplier: 1_005_447_209_118_640_331n, observedAt: startedAt - 12 }),
    // The share price was observed before a split, which the feed had recorded.
    JNJ: state({ status: 'Corporate action', sharePrice: 189_34000000n, observedAt: startedAt - 1_800 }),
    LLY: state({ sharePrice: 882_60120000n, multiplier: 1_000_741_990_226_804_500n, observedAt }),
    LMT: state({ sharePrice: 480_19000000n, multiplier: 1_006_330_015_772_094_863n, observedAt }),
    // The share price was observed before a split into ten, which the feed had not recorded. So the answer is ten times
    // too high.
    NFLX: state({
      status: 'Straddle',
      sharePrice: 1_102_90000000n,
      multiplier: 10n * unit,
      observedAt: startedAt - 900,
    }),
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
  const close = startedAt - sinceClose
  return {
    AMD: state({ sharePrice: 236_78000000n, observedAt }),
    // The share price was observed after a split, by less than the grace period.
    AMZN: state({ status: 'Corporate action', sharePrice: 232_14000000n, observedAt: startedAt - 640 }),
    // The same as NFLX of the mainnet, with a split into three.
    labTSLA: state({
      status: 'Straddle',
      sharePrice: 430_17000000n,
      multiplier: 3n * unit,
      observedAt: startedAt - 900,
    }),
    NFLX: state({ status: 'Stale', sharePrice: 110_29000000n, multiplier: 10n * unit, observedAt: close - 9_000 }),
    PLTR: noData,
    TSLA: state({ sharePrice: 430_17000000n, observedAt }),
  }
}

const unit = 10n ** 18n

/** A feed whose answer is the share price times the multiplier. Defaults: `OK`, one share per token. */
function state(given: Partial<State> & Pick<State, 'sharePrice' | 'observedAt'>): State {
  const { sharePrice, multiplier = unit } = given
  return { status: 'OK', ...given, multiplier, answer: (sharePrice * multiplier) / unit }
}

/** A feed with a total-return price: its share price is the answer divided by the multiplier, rounded down. */
function totalReturn(given: Pick<State, 'answer' | 'multiplier' | 'observedAt'>): State {
  return { status: 'OK', sharePrice: (given.answer * unit) / given.multiplier, ...given }
}

const noData: State = { status: 'No data', answer: 0n, sharePrice: 0n, multiplier: 0n, observedAt: 0 }

/** Derives a price between 10 and 500 dollars from a symbol. */
function sharePriceOf(symbol: string): bigint {
  const mixed = [...Buffer.from(symbol)].reduce((sum, byte) => (sum * 31n + BigInt(byte)) % 49_000n, 0n)
  return 10_00000000n + mixed * 1_000_000n
}
