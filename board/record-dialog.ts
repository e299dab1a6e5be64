import { byId } from './dom.ts'
import type { ShownEntry, ShownRecord } from './exact-json.ts'
import type { Answered, ApiAnswer, Failed } from './price-api.ts'
import { createRecordView } from './record-view.ts'
import type { NetworkName } from './view-state.ts'

/** One feed, opened. */
export interface RecordDialog {
  /** Opens it for a feed, or closes it, with what the list says of the feed until its own record is there. */
  readonly open: (feed: OpenFeed | undefined) => void
  /** Shows what came for the feed that is open. */
  readonly answer: (answer: ApiAnswer<ShownRecord>) => void
  readonly tick: (nowMs: number) => void
}

/** The feed that is to be open. */
export interface OpenFeed {
  readonly network: NetworkName
  readonly symbol: string
  readonly entry: ShownEntry | undefined
  /** Where its record is. */
  readonly url: string
}

/** Creates the dialog, closed. */
export function createRecordDialog(onClose: () => void): RecordDialog {
  const dialog = byId('record', HTMLDialogElement)
  const view = createRecordView(dialog)
  let feed: OpenFeed | undefined
  let answered: Answered<ShownRecord> | undefined
  let failed: Failed | undefined

  const show = (): void => {
    if (feed !== undefined) view.show({ ...feed, answered, failed })
  }
  dialog.addEventListener('close', () => {
    if (feed === undefined) return
    // Opened by its URL, it has no link to give the focus back to by itself.
    const { activeElement } = document
    if (activeElement === document.body || dialog.contains(activeElement)) findLink(feed.symbol)?.focus()
    onClose()
  })
  // A click on the backdrop is one on the dialog itself, and not on what is in it.
  dialog.addEventListener('click', ({ target }) => (target === dialog ? dialog.close() : undefined))
  return {
    open(wanted) {
      if (wanted?.url !== feed?.url) {
        answered = undefined
        failed = undefined
      }
      feed = wanted
      show()
      if (wanted === undefined) dialog.close()
      else if (!dialog.open) dialog.showModal()
    },
    answer(answer) {
      failed = 'value' in answer ? undefined : answer
      if ('value' in answer) answered = answer
      show()
    },
    tick: nowMs => view.tick(nowMs),
  }
}

function findLink(symbol: string): HTMLElement | null {
  return document.querySelector(`a[data-feed="${CSS.escape(symbol)}"]`)
}
