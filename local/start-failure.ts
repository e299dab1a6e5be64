/**
 * Tells a person why the local world did not start, and what to do about it.
 *
 * The message is one sentence or two for people; print it alone, without a stack.
 */
export class StartFailure extends Error {
  override name = 'StartFailure'
}
