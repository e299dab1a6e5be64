import type { Description, Schema } from './description.ts'
import { formatRow, type Html, html, toProse } from './html.ts'
import { toProblemId } from './problems.ts'

/** Formats the type of a schema, with links to the fields of an object and to problems. */
export function formatType({ component, type, items, oneOf, properties }: Schema): Html {
  if (items !== undefined) return html`array of ${formatType(items)}`
  if (oneOf !== undefined) return html`${oneOf.map((one, index) => [index > 0 ? ' or ' : '', formatType(one)])}`
  const problem = properties?.['type']?.const
  if (problem !== undefined) return html`<a href="#${toProblemId(String(problem))}">problem</a>`
  if (properties !== undefined && component !== undefined) return html`<a href="#${component}">${component}</a>`
  return html`${[type ?? 'any'].flat().join(' or ')}`
}

const labels: readonly (readonly [keyword: keyof Schema, label: string])[] = [
  ['format', 'format'],
  ['const', 'always'],
  ['enum', 'one of'],
  ['default', 'default'],
  ['minLength', 'length ≥'],
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['pattern', 'matches'],
]

/** Formats what a schema demands beyond its type. */
export function formatLimits(schema: Schema): readonly Html[] {
  return labels.flatMap(([keyword, label]) => {
    const values = [schema[keyword] ?? []].flat()
    const codes = values.map((value, index) => [index > 0 ? ', ' : '', html`<code>${String(value)}</code>`])
    return values.length === 0 ? [] : [html`${label} ${codes}`]
  })
}

/** Lists the schemas of objects that are no problems. One that is a field of another comes last. */
export function listObjects({ schemas }: Description['components']): readonly (readonly [name: string, Schema])[] {
  const objects = Object.entries(schemas).filter(([, { properties = {} }]) => isSuccess(properties))
  const fields = objects.flatMap(([, { properties = {} }]) => Object.values(properties))
  const isField = (name: string) => Number(fields.some(({ component }) => component === name))
  return objects.toSorted(([a], [b]) => isField(a) - isField(b))
}

function isSuccess(properties: NonNullable<Schema['properties']>): boolean {
  return Object.keys(properties).length > 0 && !('type' in properties)
}

/** Formats the fields of every object that is not a problem. */
export function formatObjects({ components, paths }: Description): readonly Html[] {
  const objects = listObjects(components)
  const contents = Object.values(paths).flatMap(({ get }) =>
    Object.values(get.responses).flatMap(({ content }) => Object.values(content)),
  )
  const samples = contents.flatMap(({ examples }) => Object.values(examples).flatMap(({ value }) => listSamples(value)))
  return objects.map(([name, schema]) => {
    const extended = objects.find(
      ([other, { properties }]) => other !== name && isWithin(properties, schema.properties),
    )
    return formatObject(name, schema, extended, samples)
  })
}

function formatObject(
  name: string,
  { description, required, properties = {} }: Schema,
  extended: readonly [string, Schema] | undefined,
  samples: readonly object[],
): Html {
  const instances = samples.filter(sample => {
    const fields = Object.keys(sample)
    return required.every(field => fields.includes(field)) && fields.every(field => field in properties)
  })
  const [other = '', { properties: inherited = {} } = {}] = extended ?? []
  const rows = Object.entries(properties).filter(([field]) => !(field in inherited))
  return html`<section aria-labelledby="${name}">
<h3 id="${name}"><a href="#${name}"><code>${name}</code></a></h3>
${toProse(description)}
${extended && html`<p>It has all fields of <a href="#${other}">${other}</a>, and:</p>`}
<dl class="fields">${rows.map(([field, schema]) =>
    formatRow({
      id: `${name}.${field}`,
      name: field,
      facts: [formatType(schema), ...formatLimits(schema), ...(required.includes(field) ? [] : [html`may be absent`])],
      description: schema.description,
      example: findExample(instances, field),
    }),
  )}</dl>
</section>`
}

function isWithin(some: Schema['properties'] = {}, all: Schema['properties'] = {}): boolean {
  return Object.entries(some).every(([name, schema]) => JSON.stringify(schema) === JSON.stringify(all[name]))
}

function findExample(instances: readonly object[], field: string): string | undefined {
  const values = instances.flatMap(instance => Object.entries(instance)).filter(([name]) => name === field)
  const value: unknown = values.map(([, one]) => one).find(one => one !== null && typeof one !== 'object')
  return value === undefined ? undefined : JSON.stringify(value)
}

/** Lists an object and all objects in it. */
function listSamples(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(listSamples)]
}
