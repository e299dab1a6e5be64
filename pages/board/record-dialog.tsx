import { networkFacts } from '../../api/networks.ts'
import { Failure } from './failure.tsx'
import { openHere } from './feed-row.tsx'
import type { Latest } from './latest.ts'
import { useModal } from './modal.ts'
import type { OpenFeed } from './open-feed.ts'
import { apiUrl } from './price-api.ts'
import { isUnreadable, type ShownEntry, type ShownRecord } from './price-response.ts'
import { Price, RecordCommands, RecordFacts } from './record-facts.tsx'
import { StatusChip } from './status-chip.tsx'
import { explain, statusOf } from './statuses.ts'
import { findNext, formatView, toLabel, type View } from './view.ts'

interface RecordDialogProps {
  readonly view: View
  readonly feed: OpenFeed
  /** The feeds that the arrow keys step through. */
  readonly shown: readonly ShownEntry[]
  readonly record: Latest<ShownRecord>
  /** The prices when the page was opened, by symbol. */
  readonly firstPrices: ReadonlyMap<string, string>
  readonly nowMs: number
  readonly change: (changed: Partial<View>) => void
  readonly retryRecord: () => void
}

/** The modal dialog of one feed. It is open as long as it is part of the page, and stays when another feed is opened. */
export function RecordDialog(props: RecordDialogProps) {
  const { view, feed, shown, record, nowMs, change, retryRecord } = props
  const { known, heading, isUnknown, path } = feed
  const onClose = () => change({ feed: undefined })
  const { dialog, ...handlers } = useModal(onClose)
  const hasValue = known !== undefined && !isUnreadable(known)
  const isLastKnown = hasValue && record.failed !== undefined
  const failure = (
    <Failure
      key="failure"
      latest={record}
      instead={isUnknown ? `The ${view.network} has no feed of ${toNoun(feed)}.` : undefined}
      {...{ hasValue, nowMs }}
      onRetry={retryRecord}
    />
  )
  return (
    <dialog ref={dialog} {...handlers} aria-labelledby="record-title" data-failed={record.failed && ''}>
      <header>
        {/* Live, because a step to another feed keeps the focus. */}
        <h2 id="record-title" aria-live="polite">
          {heading}
        </h2>
        {feed.name !== '' && <span class="name">{feed.name}</span>}
        {known !== undefined && <StatusChip key={path} status={statusOf(known)} isLastKnown={isLastKnown} />}
        <span class="tools">
          {steps.map(([label, key, sign, step]) => (
            <button
              key={key}
              type="button"
              class="tool"
              aria-label={label}
              aria-keyshortcuts={key}
              title={`${label}: arrow key`}
              disabled={shown.length < 2}
              onClick={() => change({ feed: findNext(shown, heading, step) })}
            >
              {sign}
            </button>
          ))}
          <button type="button" class="tool close" aria-label="Close" autofocus onClick={onClose}>
            ×
          </button>
        </span>
      </header>
      {/* Above what follows if that is no record. Below a record it moves nothing. */}
      {known === undefined && failure}
      <Content key={path} {...{ ...props, feed }} />
      {known !== undefined && failure}
    </dialog>
  )
}

/** Names the symbol if it is known on another network. */
function toNoun({ elsewhere, heading }: OpenFeed): string {
  return elsewhere.length > 0 ? heading : 'that symbol'
}

const steps = [
  ['Previous feed', 'ArrowLeft', '‹', -1],
  ['Next feed', 'ArrowRight', '›', 1],
] as const

function Content({ view, feed, record: { loaded, failed }, firstPrices, nowMs, change }: RecordDialogProps) {
  const { known, path } = feed
  const secondsSinceRead = (nowMs - (feed.readAtMs ?? nowMs)) / 1_000
  return (
    <div class="content">
      {known !== undefined && (
        <div class="facts">
          {!isUnreadable(known) && (
            <Price record={known} firstPrice={firstPrices.get(known.symbol)} {...{ secondsSinceRead }} />
          )}
          <p>{explain(known, failed !== undefined && !isUnreadable(known))}</p>
          <RecordFacts known={known} />
        </div>
      )}
      {feed.elsewhere.map(([other, symbol]) => (
        <p key={other} class="about">
          <a
            href={formatView({ ...view, network: other, feed: symbol })}
            onClick={event => openHere(event, () => change({ network: other, feed: symbol }))}
          >
            {`See ${symbol} on ${toLabel(other)}`}
          </a>
        </p>
      ))}
      {loaded !== undefined && (
        <RecordCommands
          record={loaded.value}
          url={apiUrl + path}
          rpcUrl={loaded.localChains.get(view.network) ?? networkFacts[view.network].rpcUrl}
        />
      )}
      <p class="about">
        <strong>For inspection only: a protocol must read the feed on-chain.</strong>
      </p>
    </div>
  )
}
