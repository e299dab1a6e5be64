import { formatAge } from './data/numbers.ts'

interface AgoProps {
  readonly text: string
  readonly seconds: number
}

/** A text, and how long ago that was. The age is an element of its own, so that its changes keep a selected text. */
export function Ago({ text, seconds }: AgoProps) {
  return (
    <>
      <span>{`${text}, `}</span>
      <span>{`${formatAge(seconds)} ago`}</span>
    </>
  )
}
