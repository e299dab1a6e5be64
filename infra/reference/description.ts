import { z } from 'zod'

/** The name of the component that a `$ref` pointed to. `resolveReferences` adds it. */
const component = z.string().optional()

/** The keywords of JSON Schema that the reference shows. Another keyword is an error. */
const schema = z.strictObject({
  component,
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  const: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  default: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.literal(false).optional(),
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  get items() {
    return schema.optional()
  },
  get oneOf() {
    return z.array(schema).optional()
  },
})

const examples = z
  .record(z.string(), z.strictObject({ summary: z.string().optional(), value: z.unknown() }))
  .default({})

const parameter = z.strictObject({
  component,
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean().default(false),
  description: z.string(),
  schema,
  examples,
})

const header = z.strictObject({
  component,
  description: z.string(),
  required: z.boolean().default(false),
  schema,
  example: z.string().optional(),
})

const response = z.strictObject({
  component,
  description: z.string(),
  headers: z.record(z.string(), header).default({}),
  content: z.record(z.string(), z.strictObject({ schema, examples })).default({}),
})

const responses = z.record(z.string(), response)

const operation = z.strictObject({
  tags: z.array(z.string()),
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(parameter).default([]),
  responses,
})

const description = z.object({
  info: z.object({ title: z.string(), version: z.string(), summary: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.strictObject({ get: operation })),
  components: z.object({ schemas: z.record(z.string(), schema) }),
  'x-elsewhere': z.object({ responses }),
})

export type Schema = z.infer<typeof schema>
export type Parameter = z.infer<typeof parameter>
export type Response = z.infer<typeof response>
export type Operation = z.infer<typeof operation>
export type Description = z.infer<typeof description>

/**
 * Parses the API's description, with its references resolved.
 *
 * @throws {z.ZodError} for what the reference would not show
 */
export function parseDescription(parsed: unknown): Description {
  return description.parse(resolveReferences(parsed, parsed))
}

function resolveReferences(node: unknown, root: unknown): unknown {
  if (Array.isArray(node)) return node.map(one => resolveReferences(one, root))
  if (typeof node !== 'object' || node === null) return node
  if (!('$ref' in node))
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolveReferences(value, root)]))
  const names = String(node.$ref).split('/').slice(1)
  const target = names.reduce<unknown>((found, name) => Object(found)[name], root)
  return { ...Object(resolveReferences(target, root)), component: names.at(-1) }
}
