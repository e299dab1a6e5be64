import { Problem } from './problems.ts'

const { type, title, detail } = new Problem('internal').body

/** The bodies of the responses that API Gateway creates where it has no problem of ours. It sets the status of two. */
export const gatewayBodies = {
  refused: {
    type: 'about:blank',
    title: 'Request refused',
    detail: 'The gateway refused this request before it came to the service.',
  },
  /** Of documents and preflights only: a function takes any body. */
  unsupportedMediaType: {
    type: 'about:blank',
    title: 'Unsupported media type',
    status: 415,
    detail: 'The request announces a body which is not JSON. Send none, since no request needs a body.',
  },
  failed: { type, title, detail },
} as const
