/** Describes an unexpected error for the log: its class and its stack frames, without any text of its own (D25). */
export function describeError(error: unknown): { readonly error: string; readonly frames: readonly string[] } {
  return { error: toErrorType(error), frames: toFrames(error) }
}

/**
 * Returns the name of an error's class if JavaScript itself has that class, else `Error`; or the type of another value
 * that was thrown.
 *
 * The names of other classes are minified, and could be any text. So could the error's own `name`, which AWS's client
 * takes from a reply (D25).
 */
function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { constructor: errorClass } = Object.getPrototypeOf(error)
  const name = errorClass?.name
  return typeof name === 'string' && Reflect.get(globalThis, name) === errorClass ? name : 'Error'
}

/** Takes an error's stack frames without its message, which may hold any text, even lines that look like frames. */
function toFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { message, stack = '' } = error
  if (!stack.includes(message)) return []
  const frames = stack.slice(stack.indexOf(message) + message.length)
  return frames.match(/^ {4}at [\w$#.<>[\] ]*\(?(file:|node:|\/)[\p{L}\p{M}\w./:@%() -]+:\d+:\d+\)?$/gmu) ?? []
}
