import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import { feedStatuses } from '../feeds/feed-status.ts'
import type { Detail, FeedReading, Round } from '../feeds/price-record.ts'
import { FeedUnreadable } from '../problems.ts'
import { feedAbi } from './abis.ts'
import type { Row } from './multicall.ts'
import { toRevertName } from './revert-name.ts'

const [latestDetail, latestRoundData] = feedAbi

/** The last second of the year 9999, after which a timestamp has no ISO 8601 form of four digits. */
const lastSecond = 253_402_300_799n

/** Reads what one feed answered to `latestDetail()` and `latestRoundData()`, or why it cannot be read (D19). */
export function decodeFeed(detailRow: Row, roundRow: Row): FeedReading | FeedUnreadable {
  const detail = decodeDetail(detailRow)
  return detail instanceof FeedUnreadable ? detail : { detail, round: decodeRound(roundRow) }
}

function decodeDetail({ success, returnData }: Row): Detail | FeedUnreadable {
  if (!success) {
    const name = toRevertName(returnData)
    return new FeedUnreadable(`latestDetail() reverted with ${name === 'unnamed' ? 'an unnamed error' : name}`)
  }
  if (returnData === '0x') return new FeedUnreadable('no contract is at its address')
  const outputs = decodeStrictly(latestDetail.outputs, returnData)
  if (outputs === undefined) return new FeedUnreadable('latestDetail() answered malformed data')
  const [quote, sharePrice, multiplier] = outputs
  const status = feedStatuses[quote.status]
  if (status === undefined) return new FeedUnreadable('its status is none of the seven')
  if (quote.observedAt > lastSecond) return new FeedUnreadable('it observed its price after the year 9999')
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
