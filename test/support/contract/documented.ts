import { createValidator, type Received } from '../../../smoke/validator.ts'
import { description } from './document.ts'

/** A response of the API and its request, as any client has them. A path is below the API's base URL. */
export interface Reply extends Omit<Received, 'headers'> {
  readonly headers: Headers | Readonly<Record<string, string | number | boolean>>
}

const { findMismatches, validate } = createValidator(description)

export { validate }

/**
 * Expects a response that openapi.yaml documents: status, headers, media type and body.
 *
 * @throws {Error} with every difference
 */
export function expectDocumented({ method, path, status, headers, text }: Reply): void {
  const mismatches = findMismatches({ method, path, status, headers: toHeaders(headers), text })
  if (mismatches.length === 0) return
  const title = `${method} ${path.slice(0, 200)}: the response ${status} is not documented in openapi.yaml`
  throw new Error([title, ...mismatches, text.slice(0, 1_000)].join('\n  '))
}

function toHeaders(headers: Reply['headers']): Headers {
  if (headers instanceof Headers) return headers
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
}
