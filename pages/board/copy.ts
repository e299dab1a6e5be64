/** How long a button shows whether it has copied. */
const confirmationMs = 1_500

/** Copies a text. The button shows whether that was possible, and the status after it states it for a screen reader. */
export async function copy(button: HTMLElement, text: string): Promise<void> {
  const label = button.textContent
  const result = await write(text)
  const show = (shown: string, stated: string) => {
    button.textContent = shown
    button.nextElementSibling?.replaceChildren(stated)
  }
  show(result, `${button.getAttribute('aria-label')}: ${result.toLowerCase()}`)
  // A second press while the result is shown.
  if (label !== result) setTimeout(() => show(label, ''), confirmationMs)
}

async function write(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied'
  } catch {
    return 'Not allowed'
  }
}
