/**
 * Writes a Velocity template that renders to just this text.
 *
 * API Gateway renders every response template, and in Velocity `$` and `#` begin references and directives. Backslashes before them
 * are Velocity's too, so that whole runs, `\\$`, become references to texts that the template sets first, in single quotes, where
 * Velocity reads nothing.
 *
 * @param text that begins with neither a space nor a line's end, which Velocity takes for its own after a directive
 */
export function toVelocityTemplate(text: string): string {
  const runs = [...new Set(text.match(/\\*[$#]/g))]
  const prelude = runs.map((run, index) => `#set($c${index} = '${run}')`)
  return prelude.join('') + text.replaceAll(/\\*[$#]/g, run => `\${c${runs.indexOf(run)}}`)
}
