/** The level of a log line, as the console names it. */
export type Level = 'info' | 'warn' | 'error'

/** A line that a function or the gateway logs. */
export interface LogLine {
  /** A function's name, or `gateway`. */
  readonly source: string
  readonly level: Level
  readonly text: string
}

export type Log = (line: LogLine) => void

/** Writes warnings and errors to the standard error output. */
export const reportProblems: Log = ({ source, level, text }) => {
  if (level !== 'info') console.error(`${source}: ${text}`)
}
