import { networkFacts } from '../../api/networks.ts'
import type { FirstPrices } from './digits.tsx'
import { Failure } from './failure.tsx'
import type { Latest } from './latest.ts'
import { useModal } from './modal.ts'
import type { OpenFeed } from './open-feed.ts'
import { OtherFeeds } from './other-feeds.tsx'
import { apiUrl } from './price-api.ts'
import { isUnreadable, type ShownEntry, type ShownList, type ShownRecord } from './price-response.ts'
import { Price, RecordCommands, RecordFacts } from './record-facts.tsx'
import { StandInNote } from './stand-in-note.tsx'
import { StatusChip } from './status-chip.tsx'
import { explain, statusOf } from './statuses.ts'
import { findNext, type View } from './view.ts'
import { WhatWasRead } from './what-was-read.tsx'

interface RecordDialogProps {
  readonly view: View
  readonly list: Latest<ShownList>
  readonly feed: OpenFeed
  /** The feeds that the arrow keys step through. */
  readonly shown: readonly ShownEntry[]
  readonly record: Latest<ShownRecord>
  readonly first: FirstPrices | undefined
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
  // The symbol if another network has it, but never the text from the page's URL.
  const noun = feed.elsewhere.length > 0 ? heading : 'that symbol'
  const isLastKnown = hasValue && record.failed !== undefined
  const failure = (
    <Failure
      key="failure"
      latest={record}
      instead={isUnknown ? `The ${view.network} has no feed of ${noun}.` : undefined}
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
      <Content {...props} />
      {known !== undefined && failure}
    </dialog>
  )
}

const steps = [
  ['Previous feed', 'ArrowLeft', '‹', -1],
  ['Next feed', 'ArrowRight', '›', 1],
] as const

function Content(props: RecordDialogProps) {
  const { view, list, feed, first, nowMs, change } = props
  const { loaded, failed } = props.record
  const { known, path } = feed
  const secondsSinceRead = (nowMs - (feed.readAtMs ?? nowMs)) / 1_000
  const localRpcUrl = (loaded ?? list.loaded)?.localChains.get(view.network)
  const rpcUrl = localRpcUrl ?? networkFacts[view.network].rpcUrl
  const readable = known === undefined || isUnreadable(known) ? undefined : known
  return (
    <div class="content">
      {known !== undefined && localRpcUrl !== undefined && <StandInNote />}
      {known !== undefined && (
        <div key={path} class="facts">
          {readable && <Price record={readable} first={first} />}
          <p>{explain(known, failed !== undefined && readable !== undefined)}</p>
          <RecordFacts {...{ known, secondsSinceRead }} />
          {readable && <RecordCommands record={readable} url={apiUrl + path} rpcUrl={rpcUrl} />}
        </div>
      )}
      <OtherFeeds {...{ view, feed, change }} />
      <p class="about">
        <strong>For inspection only: a protocol must read the feed on-chain.</strong>
      </p>
      {/* Without a key: a step to another feed keeps it open. */}
      {readable && (
        <details>
          <summary>What was read</summary>
          <WhatWasRead key={path} known={readable} loaded={loaded?.value} rpcUrl={rpcUrl} />
        </details>
      )}
    </div>
  )
}
