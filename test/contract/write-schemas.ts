import { writeFileSync } from 'node:fs'
import { description } from './document.ts'

/** Where the schemas are for the compiler. */
export const schemasPath = 'test/contract/schemas.ts'

/** Writes the schemas of openapi.yaml as a literal, one line each: the compiler reads types from nothing else. */
export function toSchemasText(): string {
  const lines = Object.entries(description.components.schemas).map(
    ([name, schema]) => `  ${name}: ${JSON.stringify(schema, (key, value) => (words.has(key) ? undefined : value))},`,
  )
  return [
    '// biome-ignore-all format: written by test/contract/write-schemas.ts',
    '',
    '/** The schemas of openapi.yaml, for the compiler. */',
    'export const schemas = {',
    ...lines,
    '} as const',
    '',
  ].join('\n')
}

/** What says nothing to a compiler. */
const words = new Set(['description', 'pattern', 'format'])

if (import.meta.main) writeFileSync(schemasPath, toSchemasText())
