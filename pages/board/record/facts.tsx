import type { ComponentChildren } from 'preact'
import { Ago } from '../ago.tsx'
import { formatTime } from '../data/numbers.ts'
import type { Known, ShownRecord } from '../data/responses.ts'
import { CopyButton } from './copy-button.tsx'

interface FactsProps {
  readonly entry: Known
  readonly secondsSinceRead: number
}

/** When a feed was observed and read, and its addresses. A feed that cannot be read has only its addresses. */
export function Facts({ entry, secondsSinceRead }: FactsProps) {
  const facts: readonly (readonly [label: string, fact: ComponentChildren])[] = [
    ...(entry.problem === undefined ? toTimes(entry, secondsSinceRead) : []),
    ['Feed', <Address entry={entry} name="feed" />],
    ['Token', <Address entry={entry} name="token" />],
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

function toTimes({ observedAtIso, ageSeconds, readAt, block }: ShownRecord, secondsSinceRead: number) {
  const observed =
    observedAtIso === null || ageSeconds === null ? (
      '–'
    ) : (
      <Ago text={formatTime(observedAtIso)} seconds={ageSeconds + secondsSinceRead} />
    )
  const read = <Ago text={`${formatTime(readAt)}, block ${block}`} seconds={secondsSinceRead} />
  return [['Observed', observed] as const, ['Read', read] as const]
}

function Address({ entry, name }: { readonly entry: Known; readonly name: 'feed' | 'token' }) {
  return (
    <>
      <code>{entry[name]}</code> <CopyButton what={`${name} address`} text={entry[name]} />{' '}
      <a href={entry.explorer[name]}>Explorer</a>
    </>
  )
}

interface CommandsProps {
  readonly record: ShownRecord
  readonly rpcUrl: string
  readonly jsonPath: string
}

/** How to check a record without this page: the call of a lending market at the same block, and the JSON. */
export function Commands({ record, rpcUrl, jsonPath }: CommandsProps) {
  const signature = 'latestRoundData()(uint80,int256,uint256,uint256,uint80)'
  const line = `cast call ${record.feed} '${signature}' --block ${record.block} --rpc-url ${rpcUrl}`
  return (
    <section>
      <h3>
        <span>Check it on-chain at this block</span> <CopyButton what="cast line" text={line} />
      </h3>
      <pre>{line}</pre>
      <p>
        JSON: <a href={jsonPath}>{jsonPath}</a>
      </p>
    </section>
  )
}
