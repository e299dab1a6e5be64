import { z } from 'zod'
import { problemExamples } from '../responses.ts'

/** The body of every problem, `application/problem+json`. */
export const problemBody = z
  .strictObject({
    type: z
      .string()
      .regex(/^(about:blank|urn:problem-type:price-lookup:[a-z0-9-]+)$/)
      .describe('Stable. Branch on it and on the HTTP status. Later types may be added: accept those too.'),
    title: z.string().min(1).describe('For people.'),
    status: z
      .int()
      .min(400)
      .max(599)
      .optional()
      .describe('The HTTP status. Absent where API Gateway sets it: there the HTTP status is all there is to know.'),
    detail: z.string().min(1).describe('For people.'),
    similarSymbols: z
      .array(z.string().min(1))
      .max(3)
      .optional()
      .describe(
        'Of `unknown-symbol`, and always there: symbols of this network that are similar, as the `detail` names them. ' +
          'Empty if another network has a feed of the symbol.',
      ),
    networks: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Of `unknown-symbol`, and always there: the other networks with a feed of the symbol, as in `?network=`.',
      ),
  })
  .meta({
    id: 'Problem',
    description: `A problem (RFC 9457). Its \`type\` is \`about:blank\` for a request that API Gateway refused by itself, or
\`urn:problem-type:price-lookup:\` followed by one of these:

${problemExamples.map(({ slug, body }) => `- \`${slug}\` (${body.status}): ${body.detail}`).join('\n')}`,
  })
