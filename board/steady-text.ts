import { setText } from './dom.ts'

/** Creates what sets an element's text, but not while someone has selected of it: it waits until they no longer have. */
export function createSteadyText(element: Element): (text: string) => void {
  let wanted: string | undefined
  const show = (): void => {
    if (wanted !== undefined && !isSelected(element)) setText(element, wanted)
  }
  document.addEventListener('selectionchange', show)
  return text => {
    wanted = text
    show()
  }
}

/** Lets go of what is selected of an element, which is to become another's. */
export function dropSelection(element: Element): void {
  if (isSelected(element)) getSelection()?.removeAllRanges()
}

function isSelected(element: Element): boolean {
  const selection = getSelection()
  return selection?.isCollapsed === false && selection.containsNode(element, true)
}
