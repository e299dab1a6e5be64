import { Steady } from './copyable.tsx'
import type { ShownRecord } from './price-response.ts'

/** `latestDetail()` beside `latestRoundData()`, field by field. */
export function Comparison({ record }: { record: ShownRecord }) {
  const isServed = record.servesLatestRoundData
  return (
    <Steady>
      <table class="comparison">
        <caption class="hidden">The two functions of the feed</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">latestDetail()</th>
            <th scope="col">latestRoundData()</th>
          </tr>
        </thead>
        {fields.map(([name, toText, inRound], index) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{toText(record)}</td>
            {isServed && (
              <td class={inRound === undefined ? 'equal' : 'about'} data-status="ok">
                {inRound ?? `= ${toText(record)}`}
              </td>
            )}
            {!isServed && index === 0 && (
              <td class="refusal" rowSpan={fields.length}>
                {toRefusal(record)}
              </td>
            )}
          </tr>
        ))}
      </table>
    </Steady>
  )
}

function toRefusal({ latestRoundDataReverts }: ShownRecord): string {
  return latestRoundDataReverts === undefined
    ? 'It returned another answer, which this service does not report.'
    : `Reverts with ${latestRoundDataReverts}. A contract gets none of these values.`
}

/** The fields of `latestDetail()`, and what a record that is served proves of each in `latestRoundData()` (D13). */
const fields: readonly (readonly [string, (record: ShownRecord) => string | number, string | undefined])[] = [
  ['answer', ({ answerRaw }) => answerRaw, undefined],
  ['observedAt', ({ observedAt }) => observedAt ?? 0, 'not compared'],
  ['status', ({ status }) => status, 'not returned'],
  ['sharePrice', ({ sharePrice }) => sharePrice ?? 'none', 'not returned'],
  ['multiplier', ({ multiplier }) => multiplier ?? 'none', 'not returned'],
]
