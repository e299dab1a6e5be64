import { copy } from './copy.ts'

interface CopyButtonProps {
  /** What the text is, as in "Copy feed address". */
  readonly what: string
  readonly label?: string
  readonly toText: () => string
}

/** A button that copies a text. Its label never changes here, because {@link copy} changes it. */
export function CopyButton({ what, label = 'Copy', toText }: CopyButtonProps) {
  return (
    <>
      <button
        type="button"
        class="copy"
        aria-label={`Copy ${what}`}
        onClick={({ currentTarget }) => copy(currentTarget, toText())}
      >
        {label}
      </button>
      <span class="hidden" role="status" />
    </>
  )
}
