/** The local run cannot start. The message, for people, names the problem and the remedy; print it without a stack. */
export class StartFailure extends Error {
  override name = 'StartFailure'
}
