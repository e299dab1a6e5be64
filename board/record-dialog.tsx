import { useLayoutEffect, useRef } from 'preact/hooks'
import { networkFacts } from '../lambda/networks.ts'
import { formatFailure, type Latest } from './api-result.ts'
import type { OpenFeed } from './open-feed.ts'
import { isUnreadable, type ShownRecord } from './price-answer.ts'
import { apiUrl } from './price-api.ts'
import { RecordCommands, RecordFacts } from './record-facts.tsx'
import { StatusChip } from './status-chip.tsx'
import { meaningOf, statusOf } from './statuses.ts'

interface RecordDialogProps {
  readonly feed: OpenFeed
  readonly record: Latest<ShownRecord>
  readonly nowMs: number
  readonly onClose: () => void
}

/** The modal dialog of one feed. It is open as long as it is part of the page. */
export function RecordDialog({ feed, record: { loaded, failed }, nowMs, onClose }: RecordDialogProps) {
  const { dialog, ...handlers } = useModal(onClose)
  const { known, heading, isUnknown, network, path } = feed
  const secondsSinceRead = (nowMs - (feed.readAtMs ?? nowMs)) / 1_000
  const failure = failed && formatFailure(failed, known !== undefined && !isUnreadable(known))
  return (
    <dialog ref={dialog} {...handlers} aria-labelledby="record-title" data-failed={failed && ''}>
      <header>
        <h2 id="record-title">{heading}</h2>
        {known !== undefined && <StatusChip status={statusOf(known)} />}
        <button type="button" class="close" aria-label="Close" autofocus onClick={onClose}>
          ×
        </button>
      </header>
      <div class="content">
        {known !== undefined && <p>{meaningOf(statusOf(known))}</p>}
        {known !== undefined && <RecordFacts known={known} secondsSinceRead={secondsSinceRead} />}
        {loaded !== undefined && (
          <RecordCommands
            record={loaded.value}
            url={apiUrl + path}
            rpcUrl={loaded.localChains.get(network) ?? networkFacts[network].rpcUrl}
          />
        )}
        <p class="about">
          <strong>For inspection only: a protocol must read the feed on-chain.</strong>
        </p>
      </div>
      <div class="failure" role="status">
        {isUnknown ? 'This network has no feed of that symbol.' : failure}
      </div>
    </dialog>
  )
}

/** Opens a dialog while its component is mounted. Returns its ref, and the handlers of all the ways to close it. */
function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isPressedOutside = useRef(false)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return {
    dialog,
    onCancel(event: Event) {
      event.preventDefault()
      onClose()
    },
    // A browser can close a dialog without a cancel event. A dialog that was removed is closed already.
    onClose: () => dialog.current?.isConnected && onClose(),
    onPointerDown(event: PointerEvent) {
      isPressedOutside.current = isOutside(event, dialog.current)
    },
    // Not after a press inside, as when text is selected, and not the second click of a double click that opened the dialog.
    onClick(event: MouseEvent) {
      if (isPressedOutside.current && event.detail < 2 && isOutside(event, dialog.current)) onClose()
      isPressedOutside.current = false
    },
  }
}

/** Returns whether an event is on the backdrop, whose target is the dialog itself. So is the target of the dialog's padding. */
function isOutside({ target, clientX, clientY }: MouseEvent, dialog: HTMLDialogElement | null): boolean {
  if (dialog === null || target !== dialog) return false
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
