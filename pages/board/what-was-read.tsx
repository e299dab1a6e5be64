import { toCastLine } from './commands.ts'
import { Copyable } from './copyable.tsx'
import { Digits } from './digits.tsx'
import { formatExactly, type ShownRecord } from './price-response.ts'
import { Fact } from './record-facts.tsx'
import { formatRounding } from './rounding.ts'
import { formatPrice } from './shown-number.ts'

interface WhatWasReadProps {
  readonly known: ShownRecord
  /** The record as the API returned it, once it is loaded. */
  readonly loaded: ShownRecord | undefined
  readonly rpcUrl: string
}

/** The raw values of a record, which repeat or prove what is above them. */
export function WhatWasRead({ known, loaded, rpcUrl }: WhatWasReadProps) {
  const { answerRaw, decimals, servesLatestRoundData } = known
  return (
    <>
      <dl>
        <Fact name="latestDetail()">
          <code>{answerRaw}</code>
          {`, with ${decimals} decimals`}
        </Fact>
        {servesLatestRoundData && (
          <Fact name="latestRoundData()">
            <code>{answerRaw}</code>, the same answer
          </Fact>
        )}
        <PerToken record={known} />
      </dl>
      <h3>Check on-chain what the feed holds, at the same block</h3>
      <Copyable what="cast line for latestDetail" tag="pre" text={toCastLine('latestDetail', known, rpcUrl)} />
      {loaded && (
        <>
          <h3>The record</h3>
          <Copyable what="JSON" tag="pre" text={formatExactly(loaded)} />
        </>
      )}
    </>
  )
}

function PerToken({ record }: { record: ShownRecord }) {
  const { sharePrice, multiplier } = record
  const rounding = formatRounding(record)
  if (rounding === undefined) return null
  return (
    <Fact name="Per token">
      {sharePrice !== null && multiplier !== null && (
        <>
          <Digits text={formatPrice(sharePrice)} /> USD per share × <Digits text={multiplier} />
        </>
      )}
      <span class="rounding">{rounding}</span>
    </Fact>
  )
}
