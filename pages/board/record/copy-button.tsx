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
      <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={event => copy(event.currentTarget, text)}>
        {label}
      </button>
      <span class="hidden" role="status" />
    </>
  )
}

/**
 * Copies a text, or selects it if the page may not use the clipboard, for example over plain http. The button shows for
 * a moment which of the two it did, and its status states it for a screen reader.
 */
async function copy(button: HTMLElement, text: string): Promise<void> {
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
    button.nextElementSibling?.replaceChildren(stated)
  }
  show(result, `${button.getAttribute('aria-label')}: ${result.toLowerCase()}`)
  setTimeout(() => show(label, ''), 1_500)
}
