import type { ComponentChildren } from 'preact'
import { formatAge } from './age.ts'
import { formatArithmetic, formatRounding } from './arithmetic.ts'
import { toCastLines, toCurlLine } from './commands.ts'
import { Copyable, Steady } from './copyable.tsx'
import { formatExactly, isUnreadable, type ShownEntry, type ShownRecord } from './price-answer.ts'

const addresses = [
  ['feed', 'Feed'],
  ['token', 'Token'],
] as const

/** What is known of a feed. A feed that cannot be read has only its addresses. */
export function RecordFacts({ known, secondsSinceRead }: { known: ShownEntry; secondsSinceRead: number }) {
  const record = isUnreadable(known) ? undefined : known
  return (
    <div class="facts">
      {record && <Comparison record={record} />}
      <dl>
        {record && <PriceFacts record={record} secondsSinceRead={secondsSinceRead} />}
        {addresses.map(([name, label]) => (
          <Fact key={name} name={label}>
            <Copyable what={`${name} address`} tag="code" text={known[name]}>
              {/* A URL with another scheme could be a script. */}
              {known.explorer[name].startsWith('https://') && <a href={known.explorer[name]}>Explorer</a>}
            </Copyable>
          </Fact>
        ))}
        {record && (
          <>
            <Fact name="Block">
              <code>{record.block}</code>
            </Fact>
            <Fact name="Read">
              <time datetime={record.readAt}>{record.readAt}</time>
            </Fact>
          </>
        )}
      </dl>
    </div>
  )
}

/** The fields of `latestDetail()`, and what the record proves of each in a `latestRoundData()` that serves (D13). */
const fields: readonly (readonly [string, (record: ShownRecord) => string | number, string | undefined])[] = [
  ['answer', ({ answerRaw }) => answerRaw, undefined],
  ['observedAt', ({ observedAt }) => observedAt ?? 0, 'not compared'],
  ['status', ({ status }) => status, 'not returned'],
  ['sharePrice', ({ sharePrice }) => sharePrice ?? 'none', 'not returned'],
  ['multiplier', ({ multiplier }) => multiplier ?? 'none', 'not returned'],
]

/** `latestDetail()` beside `latestRoundData()`, field by field. */
function Comparison({ record }: { record: ShownRecord }) {
  const isServed = record.servesLatestRoundData
  const [verdict, reason] = toVerdict(record)
  return (
    <Steady>
      <table class="comparison">
        <caption>
          {'latestRoundData() '}
          <span class="served" data-served={isServed}>
            {verdict}
          </span>
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col">latestDetail()</th>
            <th scope="col">latestRoundData()</th>
          </tr>
        </thead>
        {fields.map(([name, find, inRound], index) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{find(record)}</td>
            {isServed && (
              <td class={inRound === undefined ? 'equal' : 'about'} data-status="ok">
                {inRound ?? `= ${find(record)}`}
              </td>
            )}
            {!isServed && index === 0 && (
              <td class="refusal" rowSpan={fields.length}>
                {reason}
              </td>
            )}
          </tr>
        ))}
      </table>
    </Steady>
  )
}

/** Describes what `latestRoundData()` does, and what a contract gets: a revert and a different answer are not the same. */
function toVerdict({ servesLatestRoundData, latestRoundDataReverts }: ShownRecord): readonly [string, string] {
  if (servesLatestRoundData) return ['is served to a contract', '']
  return latestRoundDataReverts === undefined
    ? ['does not return this price', 'It returned another answer, which this service does not report.']
    : [`reverts: ${latestRoundDataReverts}`, 'A contract gets none of these values.']
}

function PriceFacts({ record, secondsSinceRead }: { record: ShownRecord; secondsSinceRead: number }) {
  const { ageSeconds, observedAtIso } = record
  return (
    <>
      <Fact name="Price">
        <span class="arithmetic">{formatArithmetic(record)}</span>
        <span class="rounding">{formatRounding(record)}</span>
      </Fact>
      <Fact name="Answer on-chain">
        <code>{`${record.answerRaw} ÷ 10^${record.decimals}`}</code>
      </Fact>
      <Fact name="Observed">
        <time datetime={observedAtIso ?? undefined}>{observedAtIso ?? 'never'}</time>
        {ageSeconds === null ? ' ' : ` ${formatAge(ageSeconds + secondsSinceRead)} ago`}
      </Fact>
    </>
  )
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
