/** Of every response: any origin may read it (D20), with the headers that state its age and when to ask again. */
export const cors = { origin: '*', exposeHeaders: 'Retry-After, Date, Age' } as const

/**
 * Returns the header `Link`, which leads programs to the description of the API and people to its reference.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8631
 */
export function toLink(baseUrl: string): string {
  return `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`
}
