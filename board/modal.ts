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
