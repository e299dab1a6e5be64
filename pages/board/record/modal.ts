let opened: HTMLDialogElement | undefined

/**
 * Opens the dialog that was added to the page, as the `ref` of one. Before it is removed, closes it, and focuses the
 * link of its feed.
 */
export function keepOpen(dialog: HTMLDialogElement | null): void {
  if (dialog !== null) {
    opened = dialog
    dialog.showModal()
    return
  }
  opened?.close()
  const link = document.querySelector<HTMLElement>(`[data-feed="${opened?.dataset['symbol']}"]`)
  const target = link ?? document.querySelector<HTMLElement>('[type=search]')
  target?.focus()
}

let isPressedOutside = false

/** Returns the handlers of all the ways to close a dialog. */
export function toHandlers(onClose: () => void) {
  return {
    onCancel(event: Event) {
      event.preventDefault()
      onClose()
    },
    // A browser can close a dialog without a cancel event. The event of a dialog that was removed may arrive after
    // another one was opened.
    onClose: ({ currentTarget }: Event) => currentTarget === opened && opened?.isConnected && onClose(),
    onPointerDown(event: PointerEvent) {
      isPressedOutside = isOutside(event)
    },
    // Ignores a click that was pressed inside, as by a selection of text. Also ignores the second click of a double
    // click, of which the first has opened the dialog.
    onClick(event: MouseEvent) {
      if (isPressedOutside && event.detail < 2 && isOutside(event)) onClose()
      isPressedOutside = false
    },
  }
}

/**
 * Returns whether an event is on the backdrop. Its target is then the dialog, as for an event on the border of the
 * dialog.
 */
function isOutside({ target, clientX, clientY }: MouseEvent): boolean {
  if (opened === undefined || target !== opened) return false
  const { left, right, top, bottom } = opened.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
