type Condition = (event: object) => boolean

/** Whether a filter of CloudWatch Logs matches an event. Supports the part of the pattern language that the stack uses. */
export function matches(pattern: string, event: object): boolean {
  const tokens = toTokens(pattern)
  const isMatch = parseGroup(tokens)
  if (tokens.length > 0) throw new Error(`Not a JSON pattern: ${pattern}`)
  return isMatch(event)
}

/** Lists the fields that a pattern selects. */
export function selectorsOf(pattern: string): readonly string[] {
  return toTokens(pattern).flatMap(token => /^\S+(?= )/.exec(token) ?? [])
}

/** Returns the value of a selector. */
export function select(selector: string, event: object): unknown {
  const path = selector.slice(2).split(/[.[\]]+/)
  return path.filter(part => part !== '').reduce<unknown>((value, part) => Object(value)[part], event)
}

/** Selectors are of letters, digits, hyphens and underscores, with an index for an element. */
const clause = /^(\$(?:\.[\w-]+(?:\[\d+\])?)+) (=|!=|>|IS) ("[^"]*"|\*|\d+|TRUE)$/

/** Splits a pattern into its parentheses, operators and clauses. */
function toTokens(pattern: string): string[] {
  const [, inner] = /^\{ (.+) \}$/.exec(pattern) ?? []
  return inner?.split(/(\(|\)| && | \|\| )/).filter(token => token !== '') ?? ['']
}

/** Takes one group of terms, which are all joined by the same operator: which one binds first is not documented. */
function parseGroup(tokens: string[]): Condition {
  const terms = [parseTerm(tokens)]
  const [operator] = tokens
  while (operator !== undefined && operator !== ')' && tokens[0] === operator) {
    tokens.shift()
    terms.push(parseTerm(tokens))
  }
  return event => (operator === ' || ' ? terms.some(term => term(event)) : terms.every(term => term(event)))
}

function parseTerm(tokens: string[]): Condition {
  const token = tokens.shift() ?? ''
  if (token === '(') {
    const group = parseGroup(tokens)
    if (tokens.shift() !== ')') throw new Error('Unsupported group')
    return group
  }
  const [, selector = '', operator, operand = ''] = clause.exec(token) ?? []
  return event => {
    const value = select(selector, event)
    if (operator === '>') return typeof value === 'number' && value > Number(operand)
    if (operator === 'IS') return String(value).toUpperCase() === operand
    // A selector of an array or an object does not match.
    if (operand === '*') return value !== undefined && typeof value !== 'object'
    if (operator === undefined) throw new Error(`Unsupported clause: ${token}`)
    return (JSON.stringify(value) === operand) === (operator === '=')
  }
}
