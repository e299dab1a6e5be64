import { useLayoutEffect, useRef } from 'preact/hooks'

/** Opens a dialog while its component is mounted. Returns its ref, and the handlers of all the ways to close it. */
export function useModal(onClose: () => void) {
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
    // Ignores a click that was pressed inside, as by a selection of text. Also ignores the second click of a double click, of
    // which the first has opened the dialog.
    onClick(event: MouseEvent) {
      if (isPressedOutside.current && event.detail < 2 && isOutside(event, dialog.current)) onClose()
      isPressedOutside.current = false
    },
  }
}

/** Returns whether an event is on the backdrop. Its target is then the dialog, as for an event on the border of the dialog. */
function isOutside({ target, clientX, clientY }: MouseEvent, dialog: HTMLDialogElement | null): boolean {
  if (dialog === null || target !== dialog) return false
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
