/** How much a line matters, in the words of the console. */
export type Level = 'debug' | 'info' | 'warn' | 'error'

/** Something that a function or the gateway has to say to who runs them. */
export interface LogLine {
  /** A function's name, or `gateway`. */
  readonly source: string
  readonly level: Level
  readonly text: string
}

/** Takes lines as they come. */
export type Log = (line: LogLine) => void

/** Shows warnings and errors on the standard error output, and drops what only a log archive would want. */
export const reportProblems: Log = ({ source, level, text }) => {
  if (level === 'warn' || level === 'error') process.stderr.write(`${source}: ${text}\n`)
}
