import { toProblemType } from '../../api/problems.ts'
import { listProblems, type ProblemResponse, preflightProblems, problemsElsewhere } from '../../api/responses.ts'
import { type PriceRoute, priceRoutes } from '../../api/routes.ts'
import { Prose, Row } from './prose.tsx'

/** Every problem of the API. */
export function Problems() {
  const all = [...priceRoutes.flatMap(listProblems), ...preflightProblems, ...problemsElsewhere]
  return (
    <dl class="fields">
      {[...Map.groupBy(all, ({ slug }) => slug)].map(([slug, responses]) => (
        <ProblemRow slug={slug} responses={responses} />
      ))}
    </dl>
  )
}

function ProblemRow({
  slug,
  responses,
}: {
  readonly slug: ProblemResponse['slug']
  readonly responses: readonly ProblemResponse[]
}) {
  const statuses = [...new Set(responses.map(({ status }) => status))].toSorted()
  const details = [...new Set(responses.map(({ body }) => body.detail))]
  const retries = new Set(responses.flatMap(({ headers }) => headers['Retry-After']?.value ?? []))
  return (
    <Row
      id={toProblemId(slug)}
      name={slug}
      facts={[statuses.join(', '), ...new Set(responses.map(({ body }) => body.title))]}
      description={[
        `\`${slug === 'about:blank' ? slug : toProblemType(slug)}\``,
        ...details,
        ...[...retries].map(seconds => `\`Retry-After: ${seconds}\`.`),
      ].join('\n\n')}
      example={JSON.stringify(responses[0]?.body, null, 2)}
    />
  )
}

/** The problems of a route by their status, and of its path with another method. */
export function ProblemsOfRoute({ route }: { readonly route: PriceRoute }) {
  const byStatus = Map.groupBy(listProblems(route), ({ status }) => status)
  return (
    <>
      <h3>Problems</h3>
      <Prose>{`Any method but \`GET\`, \`HEAD\` and \`OPTIONS\` is 404 ${toLink('unknown-route')}.`}</Prose>
      <dl class="fields">
        {[...byStatus].map(([status, ofStatus]) => (
          <Row
            id={`${route.operationId}.${status}`}
            name={`${status}`}
            facts={[]}
            description={[...new Set(ofStatus.map(({ slug }) => toLink(slug)))].join(' or ')}
          />
        ))}
      </dl>
    </>
  )
}

/** Returns a link to a problem, in CommonMark. */
function toLink(slug: ProblemResponse['slug']): string {
  return `[${slug}](#${toProblemId(slug)})`
}

/** Returns the anchor of a problem. */
function toProblemId(slug: ProblemResponse['slug']): string {
  return `problem-${slug.replace('about:', '')}`
}
