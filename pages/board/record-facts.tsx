import type { ComponentChildren } from 'preact'
import { formatArithmetic, formatRounding } from './arithmetic.ts'
import { toCastLines, toCurlLine } from './commands.ts'
import { Comparison } from './comparison.tsx'
import { Copyable, Steady } from './copyable.tsx'
import { Change, Digits } from './digits.tsx'
import { formatExactly, isUnreadable, type ShownEntry, type ShownRecord } from './price-response.ts'
import { formatAge } from './shown-number.ts'

interface PriceProps {
  readonly record: ShownRecord
  /** The price when the page was opened. */
  readonly firstPrice: string | undefined
  readonly secondsSinceRead: number
}

/** The price, what a contract gets of it, and how old it is. */
export function Price({ record, firstPrice, secondsSinceRead }: PriceProps) {
  const { price, ageSeconds, servesLatestRoundData } = record
  return (
    <Steady>
      <p class="hero">
        <span class="amount">
          {price === null ? 'No price' : <Digits text={price} />}
          {price !== null && <span class="unit"> USD</span>}
        </span>
        <span class="beside">
          <span class="served" data-served={servesLatestRoundData}>
            {toVerdict(record)}
          </span>
          <span>{ageSeconds === null ? 'never observed' : `${formatAge(ageSeconds + secondsSinceRead)} old`}</span>
        </span>
        <Change first={firstPrice} price={price} since=" since this page was opened" />
      </p>
    </Steady>
  )
}

/** Describes what a contract gets from `latestRoundData()`. A different answer is not a revert. */
function toVerdict({ price, servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  if (servesLatestRoundData) return `A contract gets ${price === null ? 'the answer 0' : 'this price'}`
  return latestRoundDataReverts === undefined ? 'A contract gets another answer' : 'A contract gets no price'
}

const addresses = [
  ['feed', 'Feed'],
  ['token', 'Token'],
] as const

/** What is known of a feed beyond its price. A feed that cannot be read has only its addresses. */
export function RecordFacts({ known }: { known: ShownEntry }) {
  const record = isUnreadable(known) ? undefined : known
  return (
    <>
      {record && <Comparison record={record} />}
      <dl>
        {record && <PriceFacts record={record} />}
        {addresses.map(([name, label]) => (
          <Fact key={name} name={label}>
            <Copyable what={`${name} address`} tag="code" text={known[name]}>
              {/* A URL with another scheme could be a script. */}
              {known.explorer[name].startsWith('https://') && <a href={known.explorer[name]}>Explorer</a>}
            </Copyable>
          </Fact>
        ))}
      </dl>
    </>
  )
}

function PriceFacts({ record }: { record: ShownRecord }) {
  return (
    <>
      <Fact name="Per token">
        <span class="arithmetic">{formatArithmetic(record)}</span>
        <span class="rounding">{formatRounding(record)}</span>
      </Fact>
      <Fact name="Answer on-chain">
        <code>{`${record.answerRaw} ÷ 10${toSuperscript(record.decimals)}`}</code>
      </Fact>
      <Fact name="Observed">
        <time datetime={record.observedAtIso ?? undefined}>{record.observedAtIso ?? 'never'}</time>
      </Fact>
      <Fact name="Read">
        <time datetime={record.readAt}>{record.readAt}</time>
        {', block '}
        <code>{record.block}</code>
      </Fact>
    </>
  )
}

function toSuperscript(number: number): string {
  return `${number}`.replaceAll(/\d/g, digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)))
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Steady>{children}</Steady>
      </dd>
    </div>
  )
}

/** How to get the same record without this page. */
export function RecordCommands({ record, url, rpcUrl }: { record: ShownRecord; url: string; rpcUrl: string }) {
  const [detailLine = '', roundLine = ''] = toCastLines(record, rpcUrl)
  return (
    <section>
      <h3>Request it again</h3>
      <Copyable what="curl line" tag="pre" text={toCurlLine(url)} />
      <h3>Check it on-chain, at this block</h3>
      <Copyable what="cast line for latestDetail" tag="pre" text={detailLine} />
      <Copyable what="cast line for latestRoundData" tag="pre" text={roundLine} />
      <h3>The record</h3>
      <Copyable what="JSON" tag="pre" text={formatExactly(record)} />
    </section>
  )
}
