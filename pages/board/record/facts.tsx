import type { ComponentChildren } from 'preact'
import { Ago } from '../ago.tsx'
import { Authors } from '../authors.tsx'
import { formatExpected } from '../data/expected.ts'
import { formatAge, formatTime } from '../data/numbers.ts'
import { apiUrl } from '../data/requests.ts'
import type { Entry, ShownRecord } from '../data/responses.ts'
import { CopyButton } from './copy-button.tsx'

interface FactsProps {
  readonly entry: Entry
  readonly secondsSinceRead: number
  /** Whether the data are invented, on a local chain. */
  readonly isLocal: boolean
}

/** When a price was observed and read, the addresses, and the authors. A feed that cannot be read has no times. */
export function Facts({ entry, secondsSinceRead, isLocal }: FactsProps) {
  const facts: readonly (readonly [label: string, fact: ComponentChildren])[] = [
    ...(entry.problem === undefined ? toTimes(entry, secondsSinceRead) : []),
    ['Feed', <Address {...{ entry, isLocal }} name="feed" />],
    ['Token', <Address {...{ entry, isLocal }} name="token" />],
    ['Authors', <Authors />],
  ]
  return (
    <dl>
      {facts.map(([label, fact]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  )
}

function toTimes(record: ShownRecord, secondsSinceRead: number) {
  const { observedAtIso, ageSeconds, maxAgeSeconds, readAt, block } = record
  const observed =
    observedAtIso === null || ageSeconds === null ? (
      'none'
    ) : (
      <>
        <Ago text={formatTime(observedAtIso)} seconds={ageSeconds + secondsSinceRead} />
        <span>{maxAgeSeconds === undefined ? '' : `; limit ${formatAge(maxAgeSeconds).replaceAll(' ', '\xA0')}`}</span>
      </>
    )
  const read = <Ago text={`${formatTime(readAt)}, block ${block}`} seconds={secondsSinceRead} />
  return [['Observed', observed] as const, ['Read', read] as const]
}

interface AddressProps {
  readonly entry: Entry
  readonly name: 'feed' | 'token'
  readonly isLocal: boolean
}

/**
 * An address, and its page in the explorer. Beside the invented data of a local chain, that page shows the contract at
 * the same address of the real chain.
 */
function Address({ entry, name, isLocal }: AddressProps) {
  const label = isLocal ? 'Explorer (the real contract)' : 'Explorer'
  return (
    <>
      <code>{entry[name]}</code> <CopyButton what={`${name} address`} text={entry[name]} />{' '}
      <a href={entry.explorer[name]} aria-label={`${label}: ${name}`}>
        {label}
      </a>
    </>
  )
}

interface CommandsProps {
  readonly record: ShownRecord
  readonly rpcUrl: string
  readonly jsonPath: string
}

/** How to check a record without this page: the call of a lending market at the same block, what it returns, the JSON. */
export function Commands({ record, rpcUrl, jsonPath }: CommandsProps) {
  const signature = 'latestRoundData()(uint80,int256,uint256,uint256,uint80)'
  const line = `cast call ${record.feed} '${signature}' --block ${record.block} --rpc-url ${rpcUrl}`
  return (
    <section>
      <div>
        <h3>Check it on-chain with Foundry's cast</h3> <CopyButton what="cast line" text={line} />
      </div>
      <pre>{line}</pre>
      <p>
        {formatExpected(record)} <a href={`${apiUrl}docs#check-a-record-on-chain`}>Check the other fields</a>.
      </p>
      <p>
        JSON: <a href={jsonPath}>{jsonPath}</a>
      </p>
    </section>
  )
}
