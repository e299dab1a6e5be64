import type { ComponentChildren } from 'preact'
import { formatAge } from './age.ts'
import { formatArithmetic } from './arithmetic.ts'
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
    <dl class="facts">
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
  )
}

function PriceFacts({ record, secondsSinceRead }: { record: ShownRecord; secondsSinceRead: number }) {
  const { ageSeconds, observedAtIso, servesLatestRoundData } = record
  return (
    <>
      <Fact name="Price">
        <span class="arithmetic">{formatArithmetic(record)}</span>
      </Fact>
      <Fact name="Answer on-chain">
        <code>{`${record.answerRaw} ÷ 10^${record.decimals}`}</code>
      </Fact>
      <Fact name="latestRoundData()">
        <span class="served" data-served={servesLatestRoundData}>
          {toVerdict(record)}
        </span>
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

/** Describes what `latestRoundData()` does: a revert and a different answer are not the same. */
function toVerdict({ servesLatestRoundData, latestRoundDataReverts }: ShownRecord): string {
  if (servesLatestRoundData) return 'is served to a contract'
  return latestRoundDataReverts === undefined ? 'does not return this price' : `reverts: ${latestRoundDataReverts}`
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
