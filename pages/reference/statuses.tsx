import { keysOf } from '../../api/keys-of.ts'
import { statusDetails, statuses, statusTerms, toStatusId } from '../../api/statuses.ts'
import { Prose, Table } from './prose.tsx'

export function Statuses() {
  return (
    <>
      <p>
        In the order in which the feed decides. Each text is true while the feed has the status. Whether it serves its
        price is in <a href="#PriceRecord.servesLatestRoundData">servesLatestRoundData</a>.
      </p>
      <Table
        columns={['status', 'served', 'meaning']}
        rows={keysOf(statuses).map(status => {
          const { meaning, served } = statuses[status]
          return [
            toStatusId(status),
            status,
            <span class={served === 'no' ? 'refused' : undefined}>{served}</span>,
            <>
              <p>{meaning}</p>
              <div class="soft">
                <Prose>{statusDetails[status]}</Prose>
              </div>
            </>,
          ]
        })}
      />
      <Prose>{statusTerms}</Prose>
    </>
  )
}
