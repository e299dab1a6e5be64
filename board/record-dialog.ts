import type { Answered, ApiAnswer, Failed } from './api-answer.ts'
import { onClickBeside } from './beside.ts'
import { byId } from './dom.ts'
import type { ShownRecord } from './exact-json.ts'
import type { OpenFeed } from './open-feed.ts'
import { createRecordView } from './record-view.ts'
import { dropSelection } from './steady-text.ts'

/** One feed, opened. */
export interface RecordDialog {
  /** Opens it for a feed, or closes it, with what the list says of the feed until its own record is there. */
  readonly open: (feed: OpenFeed | undefined) => void
  /** Shows what came for the feed that is open. */
  readonly answer: (answer: ApiAnswer<ShownRecord>) => void
  /** Under which heading the open feed is shown. */
  readonly heading: () => string | undefined
  readonly tick: (nowMs: number) => void
}

/** Creates the dialog, closed; whoever wants to close it is told of, and it closes when it is opened for no feed. */
export function createRecordDialog(onClose: () => void): RecordDialog {
  const dialog = byId('record', HTMLDialogElement)
  const view = createRecordView(dialog, onClose)
  let feed: OpenFeed | undefined
  let answered: Answered<ShownRecord> | undefined
  let failed: Failed | undefined
  let heading: string | undefined

  const show = (): void => {
    heading = feed === undefined ? undefined : view.show({ ...feed, answered, failed })
  }
  // Escape. That it has closed a dialog a browser tells with its next frame only: by then one may be open again.
  dialog.addEventListener('cancel', onClose)
  // Some close it without a word, for whoever has pressed nothing else yet.
  dialog.addEventListener('close', () => (feed === undefined || dialog.open ? undefined : onClose()))
  onClickBeside(dialog, onClose)
  return {
    open(wanted) {
      const isOther = wanted?.path !== feed?.path
      const closed = heading
      if (isOther) {
        dropSelection(dialog)
        answered = undefined
        failed = undefined
      }
      feed = wanted
      show()
      // One that has been closed for the feed that it shows is about to tell.
      if (!isOther) return
      if (wanted !== undefined) return dialog.open ? undefined : dialog.showModal()
      dialog.close()
      returnFocus(dialog, closed)
    },
    answer(answer) {
      failed = 'value' in answer ? undefined : answer
      if ('value' in answer) answered = answer
      show()
    },
    heading: () => heading,
    tick: nowMs => view.tick((nowMs - (answered?.readAtMs ?? feed?.readAtMs ?? nowMs)) / 1_000),
  }
}

/**
 * Gives the focus of a closed feed to its link, or where there is none, to where another can be sought.
 *
 * One that was opened by its URL has no link to give the focus back to by itself.
 */
function returnFocus(dialog: HTMLDialogElement, symbol = ''): void {
  const { activeElement } = document
  if (activeElement !== document.body && !dialog.contains(activeElement)) return
  const link = document.querySelector<HTMLElement>(`a[data-feed="${CSS.escape(symbol)}"]`)
  const target = link ?? byId('search', HTMLInputElement)
  target.focus()
}
