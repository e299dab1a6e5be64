interface CopyButtonProps {
  /** What the text is, as in "Copy feed address". */
  readonly what: string
  readonly label?: string
  readonly toText: () => string
  /** The same as HTML, for programs that can paste it. */
  readonly toHtml?: () => string
}

/** A button that copies a text. Its label never changes here, because {@link copy} changes it. */
export function CopyButton({ what, label = 'Copy', toText, toHtml }: CopyButtonProps) {
  const name = `Copy ${what}`
  return (
    <>
      <button
        type="button"
        class="copy"
        aria-label={name}
        onClick={event => copy(event.currentTarget, label, toText(), toHtml?.())}
      >
        {label}
      </button>
      <span class="hidden" role="status" />
    </>
  )
}

/** Copies a text. The button shows for a moment whether that was possible, and its status states it for a screen reader. */
async function copy(button: HTMLElement, label: string, text: string, html?: string): Promise<void> {
  let result = 'Copied'
  try {
    await write(text, html)
  } catch {
    result = 'Not allowed'
  }
  const show = (shown: string, stated: string) => {
    button.textContent = shown
    button.nextElementSibling?.replaceChildren(stated)
  }
  show(result, `${button.getAttribute('aria-label')}: ${result.toLowerCase()}`)
  setTimeout(() => show(label, ''), 1_500)
}

/** Writes a text to the clipboard, with its HTML where the browser can (Firefox from 127 on) and may. */
async function write(text: string, html: string | undefined): Promise<void> {
  const { clipboard } = navigator
  if (html === undefined) return clipboard.writeText(text)
  const toBlob = (type: string, content: string) => ({ [type]: new Blob([content], { type }) })
  try {
    await clipboard.write([new ClipboardItem({ ...toBlob('text/plain', text), ...toBlob('text/html', html) })])
  } catch {
    await clipboard.writeText(text)
  }
}
