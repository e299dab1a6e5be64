/** Whether a filter of CloudWatch Logs matches an event. Supports the part of the pattern language that the stack uses. */
export function matches(pattern: string, event: object): boolean {
  return toClauses(pattern).every(([selector, operator, operand]) => {
    const value = select(selector, event)
    if (operator === '>') return typeof value === 'number' && value > Number(operand)
    if (operator === 'IS') return String(value).toUpperCase() === operand
    // A selector of an array or an object does not match.
    if (operand === '*') return value !== undefined && typeof value !== 'object'
    return JSON.stringify(value) === operand
  })
}

/** Lists the fields that a pattern selects. */
export function selectorsOf(pattern: string): readonly string[] {
  return toClauses(pattern).map(([selector]) => selector)
}

/** Returns the value of a selector. */
export function select(selector: string, event: object): unknown {
  const path = selector.slice(2).split(/[.[\]]+/)
  return path.filter(part => part !== '').reduce<unknown>((value, part) => Object(value)[part], event)
}

/** Splits a pattern into its clauses. Selectors are of letters, digits, hyphens and underscores, with an index for an element. */
function toClauses(pattern: string): readonly (readonly [selector: string, operator: string, operand: string])[] {
  const [, clauses] = /^\{ (.+) \}$/.exec(pattern) ?? []
  if (clauses === undefined) throw new Error(`Not a JSON pattern: ${pattern}`)
  return clauses.split(' && ').map(clause => {
    const parts = /^\(?(\$(?:\.[\w-]+(?:\[\d+\])?)+) (=|>|IS) ("[^"]*"|\*|\d+|TRUE)\)?$/.exec(clause)
    if (parts === null) throw new Error(`Unsupported clause: ${clause}`)
    const [, selector = '', operator = '', operand = ''] = parts
    return [selector, operator, operand]
  })
}
