/**
 * Tells of each click beside an open dialog, on its backdrop.
 *
 * One that began in the dialog is no such click, as when a text is selected beyond its edge; nor is the second of a double click,
 * whose first may have opened the dialog.
 */
export function onClickBeside(dialog: HTMLDialogElement, tell: () => void): void {
  let wasPressedBeside = false
  // To a browser the backdrop is the dialog itself, and so is the dialog's own padding.
  const isBeside = ({ target, clientX, clientY }: MouseEvent): boolean => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom)
  }
  dialog.addEventListener('pointerdown', event => {
    wasPressedBeside = isBeside(event)
  })
  dialog.addEventListener('click', event => {
    if (wasPressedBeside && event.detail < 2 && isBeside(event)) tell()
    wasPressedBeside = false
  })
}
