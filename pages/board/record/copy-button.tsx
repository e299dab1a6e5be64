interface CopyButtonProps {
  /** What the text is, as in "Copy feed address". */
  readonly what: string
  readonly text: string
}

const label = 'Copy'

/** A button that copies a text. Only {@link copy} changes its label: Preact always draws the same one. */
export function CopyButton({ what, text }: CopyButtonProps) {
  return (
    <>
      <button
        type="button"
        class="copy"
        aria-label={`${label} ${what}`}
        onClick={event => copy(event.currentTarget, what, text)}
      >
        {label}
      </button>
      <span class="hidden" role="status" />
    </>
  )
}

/**
 * Copies a text, or selects it if the page may not use the clipboard, for example over plain http. The label and the name
 * of the button state for a moment which of the two it did, and its status for a screen reader.
 */
async function copy(button: HTMLElement, what: string, text: string): Promise<void> {
  let result = 'Copied'
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const shown = button.closest('dd, section')?.querySelector('code, pre')
    if (shown) getSelection()?.selectAllChildren(shown)
    result = 'Selected'
  }
  const show = (shown: string, stated: string) => {
    button.textContent = shown
    button.setAttribute('aria-label', `${shown} ${what}`)
    button.nextElementSibling?.replaceChildren(stated)
  }
  show(result, `${result} ${what}`)
  setTimeout(() => show(label, ''), 1_500)
}
