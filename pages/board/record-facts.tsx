import type { ComponentChildren } from 'preact'
import { toCastLine, toCurlLine } from './commands.ts'
import { Copyable, KeepWhileSelected } from './copyable.tsx'
import { Change, Digits, type FirstPrices } from './digits.tsx'
import { isUnreadable, type ShownEntry, type ShownRecord } from './price-response.ts'
import { formatAge, formatPrice } from './shown-number.ts'

interface PriceProps {
  readonly record: ShownRecord
  readonly first: FirstPrices | undefined
}

/** The price, and whether a contract gets it: if it does not, that stands first, and the price is muted. */
export function Price({ record, first }: PriceProps) {
  const { price, servesLatestRoundData: isServed } = record
  const verdict = (
    <strong class="served" data-served={isServed}>
      {toVerdict(record)}
    </strong>
  )
  return (
    <KeepWhileSelected>
      <p class="hero">
        {!isServed && verdict}
        {price !== null && (
          <span class="amount">
            <Digits text={formatPrice(price)} />
            <span class="unit"> USD</span>
          </span>
        )}
        {isServed && verdict}
        {price !== null && <Change {...{ record, first }} />}
      </p>
    </KeepWhileSelected>
  )
}

/** Describes what a contract gets from `latestRoundData()`. A different answer is not a revert. */
function toVerdict({ price, status, servesLatestRoundData, latestRoundDataReverts: error }: ShownRecord): string {
  if (servesLatestRoundData) return `A contract gets ${price === null ? 'the answer 0' : 'this price'}`
  if (error === undefined) return 'A contract gets another answer'
  const cause = error === 'FeedUnavailable' ? status.toLowerCase() : error
  return `No contract gets ${price === null ? 'a price' : 'this price'}: ${cause}`
}

const addresses = [
  ['feed', 'Feed'],
  ['token', 'Token'],
] as const

/** When a feed was observed and read, and its addresses. A feed that cannot be read has only its addresses. */
export function RecordFacts({ known, secondsSinceRead }: { known: ShownEntry; secondsSinceRead: number }) {
  return (
    <dl>
      {!isUnreadable(known) && (
        <>
          <Fact name="Observed">
            {known.observedAtIso === null || known.ageSeconds === null ? (
              'never'
            ) : (
              <Time iso={known.observedAtIso} secondsAgo={known.ageSeconds + secondsSinceRead} />
            )}
          </Fact>
          <Fact name="Read">
            <Time iso={known.readAt} secondsAgo={secondsSinceRead} />
          </Fact>
        </>
      )}
      {addresses.map(([name, label]) => (
        <Fact key={name} name={label}>
          <Copyable what={`${name} address`} tag="code" text={known[name]}>
            {/* A URL with another scheme could be a script. */}
            {known.explorer[name].startsWith('https://') && <a href={known.explorer[name]}>Explorer</a>}
          </Copyable>
        </Fact>
      ))}
    </dl>
  )
}

function Time({ iso, secondsAgo }: { iso: string; secondsAgo: number }) {
  return (
    <time datetime={iso}>
      {formatTimes(iso).map(text => (
        <span key={text}>{text}</span>
      ))}
      <span>{`${formatAge(secondsAgo)} ago`}</span>
    </time>
  )
}

/** Formats a time in the zone of the browser and in UTC, or once if that is its zone. */
function formatTimes(iso: string): string[] {
  const format = (timeZone?: string) =>
    new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long', timeZone })
  return [...new Set([format(), format('UTC')])]
}

/** A name and its value in a record. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <KeepWhileSelected>{children}</KeepWhileSelected>
      </dd>
    </div>
  )
}

/** How to get the same record without this page. */
export function RecordCommands({ record, url, rpcUrl }: { record: ShownRecord; url: string; rpcUrl: string }) {
  return (
    <section>
      <h3>Request it again</h3>
      <Copyable what="curl line" tag="pre" text={toCurlLine(url)} />
      <h3>{`Check on-chain what a contract gets, at block ${record.block}`}</h3>
      <Copyable what="cast line for latestRoundData" tag="pre" text={toCastLine('latestRoundData', record, rpcUrl)} />
    </section>
  )
}
