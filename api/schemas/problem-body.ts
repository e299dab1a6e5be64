import { z } from 'zod'
import type { ProblemSlug } from '../problems.ts'
import { listProblems, problemExamples, problemsElsewhere } from '../responses.ts'
import { priceRoutes } from '../routes.ts'

/** The body of every problem, `application/problem+json`. */
export const problemBody = z
  .strictObject({
    type: z
      .string()
      .regex(/^(about:blank|urn:problem-type:price-lookup:[a-z0-9-]+)$/)
      .describe('Stable. A program decides by it and by the HTTP status. Later types may be added: accept those too.'),
    title: z.string().min(1).describe('For people.'),
    status: z
      .int()
      .min(400)
      .max(599)
      .optional()
      .describe('The HTTP status. Absent if API Gateway chose the status: then read the status of the response.'),
    detail: z.string().min(1).describe('For people.'),
    networks: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Only `unknown-symbol` has it, and always: the other networks that have a feed of the symbol, as in ' +
          '`?network=`. Empty if there is none.',
      ),
  })
  .meta({
    id: 'Problem',
    description: `A problem (RFC 9457). Its \`type\` is \`about:blank\` if API Gateway refused the request by itself, except for 404 and 429, or
\`urn:problem-type:price-lookup:\` followed by one of these:

${problemExamples.map(({ slug, body }) => `- \`${slug}\` (${formatStatuses(slug)}): ${body.detail}`).join('\n')}`,
  })

/** Formats every HTTP status that responses with a problem have. */
function formatStatuses(slug: ProblemSlug): string {
  const responses = [...priceRoutes.flatMap(listProblems), ...problemsElsewhere].filter(sent => sent.slug === slug)
  return [...new Set(responses.map(({ status }) => status))].toSorted().join(', ')
}
