/** The most RPC URLs that a parameter may have (D22). */
export const maxRpcUrls = 3

/** What logs and metrics call an RPC URL: `rpc-1` is the first URL of the parameter. */
export type EndpointName = `rpc-${number}`

/** @param index the place of the URL in the parameter, from 0 */
export function toEndpointName(index: number): EndpointName {
  return `rpc-${index + 1}`
}
