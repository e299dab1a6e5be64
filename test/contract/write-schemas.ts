import { writeFileSync } from 'node:fs'
import { allSchemas } from './document.ts'

/** The path of the schemas for the compiler. */
export const schemasPath = 'test/contract/schemas.ts'

/** Writes the schemas of openapi.yaml as a literal, one per line, because the compiler derives types from literals only. */
export function toSchemasText(): string {
  const lines = Object.entries(allSchemas).map(
    ([name, schema]) =>
      `  ${name}: ${JSON.stringify(schema, (key, value) => (withoutType.has(key) ? undefined : value))},`,
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

/** Keywords without an effect on the type. */
const withoutType = new Set(['description', 'pattern', 'format'])

if (import.meta.main) writeFileSync(schemasPath, toSchemasText())
