import { formatAge } from './data/numbers.ts'

interface AgoProps {
  readonly text: string
  readonly seconds: number
}

/** A text, and how long ago that was: an element of its own, so that the text can be selected while it changes. */
export function Ago({ text, seconds }: AgoProps) {
  return (
    <>
      <span>{`${text}, `}</span>
      <span>{`${formatAge(seconds)} ago`}</span>
    </>
  )
}
