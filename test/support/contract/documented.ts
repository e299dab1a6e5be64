import { findContractMismatches, type Received } from '../../../checks/service/contract.ts'

/** A response of the API and its request, as any client has them. A path is below the API's base URL. */
export interface AnyResponse extends Omit<Received, 'headers'> {
  readonly headers: Headers | Readonly<Record<string, string | number | boolean>>
}

/**
 * Expects a response as `api/` describes it: status, headers, media type and body, without a further field.
 *
 * @throws {Error} with every difference
 */
export function expectDocumented(response: AnyResponse): void {
  const { method, path, status, text } = response
  const headers = new Headers(response.headers as Record<string, string>)
  const mismatches = findContractMismatches({ method, path, status, headers, text })
  if (mismatches.length === 0) return
  const title = `${method} ${path.slice(0, 200)}: the response ${status} is not documented`
  throw new Error([title, ...mismatches, text.slice(0, 1_000)].join('\n  '))
}
