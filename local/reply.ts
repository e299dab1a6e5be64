/** An HTTP response, whole. */
export interface Reply {
  readonly status: number
  /** A name may stand several times. */
  readonly headers: readonly Header[]
  readonly body: string
}

/** A header's name, and its value. */
export type Header = readonly [name: string, value: string]

/** Adds the content type that API Gateway gives to a response without one. */
export function withContentType({ status, headers, body }: Reply): Reply {
  if (headers.some(([name]) => name.toLowerCase() === 'content-type')) return { status, headers, body }
  return { status, headers: [...headers, ['Content-Type', 'application/json']], body }
}
