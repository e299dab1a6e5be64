import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import { type Detail, type FeedReading, feedStatuses, type Round, type UnreadableFeed } from '../feeds/price-record.ts'
import { feedAbi } from './abis.ts'
import type { Row } from './multicall.ts'

const [latestDetail, latestRoundData] = feedAbi

/** The last second of the year 9999, after which a timestamp has no ISO 8601 form of four digits. */
const lastSecond = 253_402_300_799n

/** Why a feed without code cannot be read. A node without the chain's state reports the same of every feed. */
export const noContract = 'no contract is at its address'

/** Decodes what one feed returned for `latestDetail()` and `latestRoundData()`, or why it cannot be read (D19). */
export function decodeFeed(detailRow: Row, roundRow: Row): FeedReading | UnreadableFeed {
  const detail = decodeDetail(detailRow)
  return typeof detail === 'string' ? { unreadable: detail } : { detail, round: decodeRound(roundRow) }
}

function decodeDetail({ success, returnData }: Row): Detail | string {
  if (!success) {
    const name = toRevertName(returnData)
    return `latestDetail() reverted with ${name === 'unnamed' ? 'an unnamed error' : name}`
  }
  if (returnData === '0x') return noContract
  const outputs = decodeStrictly(latestDetail.outputs, returnData)
  if (outputs === undefined) return 'latestDetail() answered malformed data'
  const [quote, sharePrice, multiplier] = outputs
  const status = feedStatuses[quote.status]
  if (status === undefined) return 'its status is none of the seven'
  if (quote.observedAt > lastSecond) return 'it observed its price after the year 9999'
  return { status, answer: quote.answer, observedAt: Number(quote.observedAt), sharePrice, multiplier }
}

function decodeRound({ success, returnData }: Row): Round {
  if (!success) return { reverts: toRevertName(returnData) }
  const outputs = decodeStrictly(latestRoundData.outputs, returnData)
  return outputs === undefined ? 'malformed' : { answer: outputs[1] }
}

/** Decodes return data of a feed; undefined unless encoding it again gives the same bytes (D23). */
function decodeStrictly<const outputs extends readonly AbiParameter[]>(outputs: outputs, returnData: Hex) {
  try {
    const values = decodeAbiParameters(outputs, returnData)
    return encodeAbiParameters<readonly AbiParameter[]>(outputs, values) === returnData ? values : undefined
  } catch {
    return undefined
  }
}

/** Errors with a name, by their selector: the two of the feed's ABI and the two of Solidity. */
const errorNames: ReadonlyMap<string, string> = new Map([
  ['0xe3f18fa8', 'FeedUnavailable'],
  ['0xc4e5ad09', 'NoHistory'],
  ['0x08c379a0', 'Error'],
  ['0x4e487b71', 'Panic'],
])

/** Names the error in revert data: by its Solidity name, else by its selector, else `unnamed` (D14). */
export function toRevertName(revertData: Hex): string {
  if (revertData.length < '0x12345678'.length) return 'unnamed'
  const selector = revertData.slice(0, '0x12345678'.length).toLowerCase()
  return errorNames.get(selector) ?? selector
}
