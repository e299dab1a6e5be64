import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

/** Keeps what it shows while the user has selected a part of it. The next drawing after that shows the current content. */
export function KeepWhileSelected({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const shown = useRef(children)
  if (!isSelected(element.current)) shown.current = children
  return (
    <div ref={element} class="keep-while-selected">
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
  const findElement = () => container.current?.querySelector(Tag)
  return (
    <div ref={container} class={`copyable ${Tag}`}>
      <KeepWhileSelected>
        <Tag>{text}</Tag>
      </KeepWhileSelected>
      <span class="actions">
        <CopyButton {...{ what, findElement }} toText={() => findElement()?.textContent ?? ''} />
        {children}
      </span>
    </div>
  )
}

interface CopyButtonProps {
  readonly what: string
  /** What the button shows. */
  readonly label?: string
  readonly disabled?: boolean
  readonly toText: () => string
  /** Finds what is selected instead where the browser does not allow a page to copy. */
  readonly findElement: () => Element | null | undefined
}

/** A button that copies a text. */
export function CopyButton({ what, label = 'Copy', disabled, toText, findElement }: CopyButtonProps) {
  const [result, setResult] = useState<'Copied' | 'Selected'>()
  const copy = async () => {
    const element = findElement()
    if (!element) return
    const text = toText()
    getSelection()?.selectAllChildren(element)
    try {
      await navigator.clipboard.writeText(text)
      getSelection()?.removeAllRanges()
      setResult('Copied')
    } catch {
      // The browser does not allow it. The element stays selected for the keyboard shortcut.
      setResult('Selected')
    }
    setTimeout(() => setResult(undefined), confirmationMs)
  }
  return (
    <>
      <button type="button" class="copy" aria-label={`Copy ${what}`} disabled={disabled} onClick={copy}>
        {result ?? label}
      </button>
      <span class="hidden" role="status">
        {result && `${what} ${result.toLowerCase()}`}
      </span>
    </>
  )
}
