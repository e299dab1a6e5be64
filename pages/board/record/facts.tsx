import type { ComponentChildren } from 'preact'
import { CopyButton } from '../copy-button.tsx'
import { formatAge, formatTime } from '../data/numbers.ts'
import type { Entry, ExactRecord } from '../data/responses.ts'

interface FactsProps {
  readonly entry: Entry
  readonly secondsSinceRead: number
}

/** When a feed was observed and read, and its addresses. A feed that cannot be read has only its addresses. */
export function Facts({ entry, secondsSinceRead }: FactsProps) {
  return (
    <dl>
      {entry.problem === undefined && <Times record={entry} secondsSinceRead={secondsSinceRead} />}
      <Address name="feed" label="Feed" entry={entry} />
      <Address name="token" label="Token" entry={entry} />
    </dl>
  )
}

function Times({ record, secondsSinceRead }: { readonly record: ExactRecord; readonly secondsSinceRead: number }) {
  const { observedAt, ageSeconds, readAt, block } = record
  const observed =
    observedAt === null || ageSeconds === null
      ? 'never'
      : `${formatTime(new Date(1_000 * observedAt))}, ${formatAge(ageSeconds + secondsSinceRead)} ago`
  return (
    <>
      <Fact label="Observed">{observed}</Fact>
      <Fact label="Read">{`${formatTime(new Date(readAt))}, block ${block}, ${formatAge(secondsSinceRead)} ago`}</Fact>
    </>
  )
}

interface AddressProps {
  readonly name: 'feed' | 'token'
  readonly label: string
  readonly entry: Entry
}

function Address({ name, label, entry }: AddressProps) {
  return (
    <Fact label={label}>
      <code>{entry[name]}</code> <CopyButton what={`${name} address`} toText={() => entry[name]} />{' '}
      <a href={entry.explorer[name]}>Explorer</a>
    </Fact>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface CommandsProps {
  readonly record: ExactRecord
  readonly rpcUrl: string
  /** The path of the record in the API. */
  readonly jsonPath: string
}

/** How to check a record without this page: the call of a lending market at the same block, and the JSON. */
export function Commands({ record, rpcUrl, jsonPath }: CommandsProps) {
  const signature = 'latestRoundData()(uint80,int256,uint256,uint256,uint80)'
  const line = `cast call ${record.feed} '${signature}' --block ${record.block} --rpc-url ${rpcUrl}`
  return (
    <section>
      <h3>
        <span>Check it on-chain at this block</span> <CopyButton what="cast line" toText={() => line} />
      </h3>
      <pre>{line}</pre>
      <p>
        JSON: <a href={jsonPath}>{jsonPath}</a>
      </p>
    </section>
  )
}
