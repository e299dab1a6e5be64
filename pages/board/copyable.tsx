import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

/** Keeps what it shows while the user has selected a part of it. The next drawing after that shows the current content. */
export function Steady({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const shown = useRef(children)
  if (!isSelected(element.current)) shown.current = children
  return (
    <div ref={element} class="steady">
      {shown.current}
    </div>
  )
}

function isSelected(element: Element | null): boolean {
  const selection = getSelection()
  return element !== null && selection?.isCollapsed === false && selection.containsNode(element, true)
}

/** How long a button confirms that it has copied. */
const confirmationMs = 1_500

interface CopyableProps {
  /** What the text is, as in "Copy feed address". */
  readonly what: string
  readonly tag: 'code' | 'pre'
  readonly text: string
  /** What follows the button. */
  readonly children?: ComponentChildren
}

/** A text with a button that copies it. */
export function Copyable({ what, tag: Tag, text, children }: CopyableProps) {
  const container = useRef<HTMLDivElement>(null)
  const [result, setResult] = useState<'Copied' | 'Selected'>()
  const copy = async () => {
    const element = container.current?.querySelector(Tag)
    if (!element) return
    getSelection()?.selectAllChildren(element)
    try {
      await navigator.clipboard.writeText(element.textContent)
      getSelection()?.removeAllRanges()
      setResult('Copied')
    } catch {
      // The browser does not allow it. The text stays selected for the keyboard shortcut.
      setResult('Selected')
    }
    setTimeout(() => setResult(undefined), confirmationMs)
  }
  return (
    <div ref={container} class={`copyable ${Tag}`}>
      <Steady>
        <Tag>{text}</Tag>
      </Steady>
      <span class="actions">
        <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={copy}>
          {result ?? 'Copy'}
        </button>
        {children}
      </span>
      <span class="hidden" role="status">
        {result && `${what} ${result.toLowerCase()}`}
      </span>
    </div>
  )
}
