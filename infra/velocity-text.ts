/**
 * Writes a Velocity template that renders to this text.
 *
 * API Gateway renders every response template. In Velocity, `$` and `#` begin references and directives, and a backslash before them
 * escapes. So each run such as `\\$` becomes a reference to a variable. The template sets the variable first, to a string in single
 * quotes, which Velocity does not evaluate.
 *
 * @param text must not begin with a space or a line break: Velocity removes those after a directive
 * @example
 * toVelocityTemplate('costs $5') // "#set($c0 = '$')costs ${c0}5"
 */
export function toVelocityTemplate(text: string): string {
  const runs = [...new Set(text.match(/\\*[$#]/g))]
  const prelude = runs.map((run, index) => `#set($c${index} = '${run}')`)
  return prelude.join('') + text.replaceAll(/\\*[$#]/g, run => `\${c${runs.indexOf(run)}}`)
}
