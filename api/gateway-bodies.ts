import { Problem } from './problems.ts'

const { type, title, detail } = new Problem('internal').body

/**
 * The bodies of API Gateway's own responses that no row of `problems.ts` has. `refused` and `unsupportedMediaType` have
 * no type of ours.
 *
 * API Gateway chooses the status of `refused` and `failed`, so these two have no member `status`: `failed` is `internal`
 * without it. The status of `unsupportedMediaType` is always 415.
 */
export const gatewayBodies = {
  refused: {
    type: 'about:blank',
    title: 'Request refused',
    detail: 'The gateway refused this request before it came to the service.',
  },
  /** The response of a document or a preflight alone, because a function accepts any body. */
  unsupportedMediaType: {
    type: 'about:blank',
    title: 'Unsupported media type',
    status: 415,
    detail: 'The request announces a body which is not JSON. Send none, since no request needs a body.',
  },
  failed: { type, title, detail },
} as const
