import { create, setText } from './dom.ts'
import { createSteadyText } from './steady-text.ts'

/** A text, and the button that copies it. */
export interface Copyable {
  readonly element: HTMLElement
  readonly set: (text: string) => void
}

/** How long a button says that it has copied. */
const saidMs = 1_500

/**
 * Creates a text that can be copied with a button.
 *
 * @param what the text is, as in "Copy feed address"
 */
export function createCopyable(what: string, tag: 'code' | 'pre', ...behind: readonly Node[]): Copyable {
  const text = create(tag)
  const button = create('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, 'Copy')
  const said = create('span', { class: 'hidden', role: 'status' })
  button.addEventListener('click', () => {
    copy(text).then(
      () => say('Copied'),
      () => say('Selected'),
    )
  })
  function say(word: string): void {
    setText(button, word)
    setText(said, `${what} ${word.toLowerCase()}`)
    setTimeout(() => {
      setText(button, 'Copy')
      setText(said, '')
    }, saidMs)
  }
  return {
    element: create(
      'div',
      { class: `copyable ${tag}` },
      text,
      create('span', { class: 'actions' }, button, ...behind),
      said,
    ),
    set: createSteadyText(text),
  }
}

/** Copies a text; where the browser does not let us, it is selected, so that a key can copy it. */
async function copy(element: HTMLElement): Promise<void> {
  getSelection()?.selectAllChildren(element)
  await navigator.clipboard.writeText(element.textContent ?? '')
  getSelection()?.removeAllRanges()
}
