import { statuses, statusTerms } from '../../api/statuses.ts'
import { Prose, Table } from './prose.tsx'

/** Examples with numbers of the statuses that concern the multiplier. */
const examples: Readonly<Record<string, string>> = {
  Straddle:
    'Example: 1,102.9 USD per share, observed before a 10:1 split. After it, 1,102.9 × 10 = 11,029 USD per token, while ' +
    'the token is worth about 1,102.9.',
  'Corporate action':
    'Example: the multiplier switches from 1 to 10 at 14:00, as recorded, and the price was observed at 13:59, or at ' +
    '14:20 with a grace period of 30 minutes. The status ends with a price that was observed at 14:30 or later.',
}

/** What each status means, whether it is served, and its exact conditions. */
export function Statuses() {
  return (
    <>
      <p>
        In the order in which the feed decides: a status applies unless one above it does. Whether a feed serves its
        price is in <a href="#PriceRecord.servesLatestRoundData">servesLatestRoundData</a>.
      </p>
      <Table
        columns={['status', 'served', 'meaning']}
        rows={Object.entries(statuses).map(([status, { meaning, served, conditions }]) => [
          `status-${status.toLowerCase().replaceAll(' ', '-')}`,
          status,
          <span class={served === 'no' ? 'refused' : undefined}>{served}</span>,
          <>
            <p>{meaning}</p>
            <div class="soft">
              <Prose>{conditions}</Prose>
              {status in examples && <p>{examples[status]}</p>}
            </div>
          </>,
        ])}
      />
      <Prose>{statusTerms}</Prose>
    </>
  )
}
