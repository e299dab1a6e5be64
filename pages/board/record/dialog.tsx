import { networkFacts, toQuery } from '../../../api/networks.ts'
import { secondsSince } from '../data/clock.ts'
import type { Latest } from '../data/latest.ts'
import { apiUrl } from '../data/requests.ts'
import { type ExactList, type ExactRecord, isUnreadable } from '../data/responses.ts'
import { Failure } from '../failure.tsx'
import type { View } from '../view.ts'
import { Commands, Facts } from './facts.tsx'
import { keepOpen, toHandlers } from './modal.ts'
import type { OpenFeed } from './open-feed.ts'
import { Outcome } from './outcome.tsx'

interface RecordDialogProps {
  readonly view: View
  readonly list: Latest<ExactList>
  readonly feed: OpenFeed
  readonly record: Latest<ExactRecord>
  readonly change: (changed: Partial<View>) => void
}

/** The modal dialog of one feed. It is open as long as it is part of the page. */
export function RecordDialog({ view, list, feed, record: { loaded, failed }, change }: RecordDialogProps) {
  const { known, heading, name, readMoment } = feed
  const { chain, rpcUrl } = networkFacts[view.network]
  const onClose = () => change({ feed: undefined })
  // The list may state the same of an unreadable feed.
  const isKnownProblem = known !== undefined && isUnreadable(known) && known.problem === failed?.detail
  const outage = isKnownProblem ? undefined : failed
  const localRpcUrl = (loaded ?? list.loaded)?.localChains.get(view.network)
  return (
    <dialog ref={keepOpen} {...toHandlers(onClose)} data-symbol={heading} aria-labelledby="record-title">
      <header>
        <h2 id="record-title">{heading}</h2>
        <p class="soft">{name === undefined ? chain.name : `${name} · ${chain.name}`}</p>
        <button type="button" class="close" aria-label="Close" autofocus onClick={onClose}>
          ×
        </button>
      </header>
      <Failure failed={outage} />
      {known && <Outcome entry={known} isLastKnown={outage !== undefined} />}
      {known && <Facts entry={known} secondsSinceRead={readMoment === undefined ? 0 : secondsSince(readMoment)} />}
      {known && !isUnreadable(known) && (
        <Commands
          record={known}
          rpcUrl={localRpcUrl ?? rpcUrl}
          jsonPath={`${new URL(apiUrl).pathname}price/${known.symbol}${toQuery(view.network)}`}
        />
      )}
    </dialog>
  )
}
