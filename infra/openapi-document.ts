import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/**
 * Reads the API's description, and returns it as compact JSON.
 *
 * It is ASCII, so that no encoding in CloudFormation or API Gateway can change it.
 */
export function readOpenApiDocument(): string {
  return JSON.stringify(readDescription()).replaceAll(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Reads and parses `openapi.yaml`. */
export function readDescription(): unknown {
  return parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'))
}
