import type { Description, Response, Schema } from './description.ts'
import { formatRow, type Html, html } from './html.ts'

/** A problem document as one response describes it. */
interface Described {
  readonly type: string
  readonly status: string
  readonly title: string
  readonly meaning: string
  readonly retryAfter: string | undefined
  readonly example: string | undefined
}

/** Returns the anchor of a problem. */
export function toProblemId(type: string): string {
  return `problem-${type.split(':').at(-1)}`
}

/** Returns the slug of one of the service's problems, or the type of another. */
export function toProblemName(type: string): string {
  return type.replace('urn:problem-type:price-lookup:', '')
}

/** Lists the problems that a response with a status can have. */
export function listProblems(status: string, { headers, content }: Response): readonly Described[] {
  const { schema, examples = {} } = content['application/problem+json'] ?? {}
  const schemas = schema === undefined ? [] : (schema.oneOf ?? [schema])
  return schemas.flatMap(({ description = '', properties = {} }) => {
    const { type, title, status: stated } = properties
    const statuses = toValues(stated)
    if (statuses.length > 0 && !statuses.includes(status)) return []
    const [example] = Object.values(examples).filter(({ value }) => Object(value).type === type?.const)
    return {
      type: String(type?.const),
      status,
      title: String(title?.const),
      meaning: description,
      retryAfter: toValues(headers['Retry-After']?.schema)[0],
      example: example && JSON.stringify(example.value, null, 2),
    }
  })
}

function toValues(schema: Schema | undefined): readonly string[] {
  return [schema?.const ?? schema?.enum ?? []].flat().map(String)
}

/** Formats every problem of every response, each type once. */
export function formatProblems(description: Description): Html {
  const responses = [...Object.values(description.paths).map(({ get }) => get), description['x-elsewhere']]
  const all = responses.flatMap(one =>
    Object.entries(one.responses).flatMap(([status, response]) => listProblems(status, response)),
  )
  const rows = [...Map.groupBy(all, ({ type }) => type)].map(([type, ones]) => formatProblem(type, ones))
  return html`<dl class="fields">${rows}</dl>`
}

function formatProblem(type: string, ones: readonly Described[]): Html {
  const distinct = (name: keyof Described) => [...new Set(ones.flatMap(one => one[name] ?? []))]
  const retries = distinct('retryAfter').map(seconds => `\`Retry-After: ${seconds}\`.`)
  return formatRow({
    id: toProblemId(type),
    name: toProblemName(type),
    facts: [html`${distinct('status').toSorted().join(', ')}`, ...distinct('title').map(title => html`${title}`)],
    description: [`\`${type}\``, ...distinct('meaning'), ...retries].join('\n\n'),
    example: distinct('example')[0],
  })
}
