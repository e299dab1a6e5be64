import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { toJsonSchema } from '../../api/openapi.ts'
import { Prose, Row } from './prose.tsx'

/** An object whose fields the reference shows. */
export interface DescribedObject {
  readonly name: string
  readonly schema: z.ZodObject
  readonly description?: string
  /** An object whose fields this one has too. They are not repeated. */
  readonly extended?: Omit<DescribedObject, 'extended'>
}

/** The fields of an object, with examples from the samples of it. */
export function ObjectFields({
  name,
  schema,
  description = schema.description,
  extended,
  samples,
}: DescribedObject & { readonly samples: readonly object[] }) {
  const own = samples.filter(sample => hasShape(sample, schema))
  const fields = Object.entries(schema.shape).filter(([field]) => !(field in (extended?.schema.shape ?? {})))
  return (
    <section aria-labelledby={name}>
      <h3 id={name}>
        <a href={`#${name}`}>
          <code>{name}</code>
        </a>
      </h3>
      <Prose>{description ?? ''}</Prose>
      {extended && (
        <p>
          It has all fields of <a href={`#${extended.name}`}>{extended.name}</a>, and:
        </p>
      )}
      <dl class="fields">
        {fields.map(([field, type]) => (
          <Row
            id={`${name}.${field}`}
            name={field}
            facts={toFacts(type)}
            description={toId(type) === undefined ? type.description : undefined}
            example={findExample(own, field)}
          />
        ))}
      </dl>
    </section>
  )
}

/** Describes a type: its name, its limits, and whether a field of it may be absent. */
function toFacts(type: z.ZodType): readonly ComponentChildren[] {
  const isOptional = type instanceof z.ZodOptional
  return [<Type type={type} />, ...toLimits(toJsonSchema(type)), ...(isOptional ? ['may be absent'] : [])]
}

/** The name of a type, with links to the fields of an object. */
function Type({ type }: { readonly type: z.core.$ZodType }) {
  if (type instanceof z.ZodOptional) return <Type type={type.unwrap()} />
  if (type instanceof z.ZodArray) {
    return (
      <>
        array of <Type type={type.element} />
      </>
    )
  }
  if (type instanceof z.ZodUnion)
    return type.options.map((option, index) => [index > 0 && ' or ', <Type type={option} />])
  const id = toId(type)
  if (id !== undefined) return <a href={`#${id}`}>{id}</a>
  return [toJsonSchema(type).type ?? 'any'].flat().join(' or ')
}

/** Returns the anchor of an object's type. */
function toId(type: z.core.$ZodType): string | undefined {
  return type instanceof z.ZodObject ? z.globalRegistry.get(type)?.id : undefined
}

type JsonSchema = Readonly<ReturnType<typeof toJsonSchema>>

const labels = {
  format: 'format',
  const: 'always',
  enum: 'one of',
  default: 'default',
  minLength: 'length ≥',
  minimum: '≥',
  exclusiveMinimum: '>',
  pattern: 'matches',
} as const satisfies Readonly<Partial<Record<keyof JsonSchema, string>>>

/** Describes what a schema demands beyond its type. */
export function toLimits(schema: Readonly<Record<string, unknown>>): readonly ComponentChildren[] {
  return Object.entries(labels).flatMap(([keyword, label]) => {
    const values = [schema[keyword] ?? []].flat()
    const codes = values.map((value, index) => [index > 0 && ', ', <code>{String(value)}</code>])
    return values.length === 0 ? [] : [[`${label} `, codes]]
  })
}

/** Whether an object has the fields of a schema, and no others. */
function hasShape(sample: object, { shape }: z.ZodObject): boolean {
  const isComplete = Object.entries(shape).every(([field, type]) => field in sample || type instanceof z.ZodOptional)
  return isComplete && Object.keys(sample).every(field => field in shape)
}

/** Finds the JSON of a field that is neither null nor an object. */
function findExample(samples: readonly object[], field: string): string | undefined {
  const values = samples.flatMap(sample => Object.entries(sample)).filter(([name]) => name === field)
  return values.map(([, value]) => JSON.stringify(value)).find(text => !/^(null|[{[])/.test(text))
}
