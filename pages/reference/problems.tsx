import { toProblemType } from '../../api/problems.ts'
import { listProblems, type ProblemResponse, problemsElsewhere } from '../../api/responses.ts'
import { type DocumentRoute, documentRoutes, type PriceRoute, priceRoutes } from '../../api/routes.ts'
import { Prose, Row } from './prose.tsx'

/** Every problem of the API. */
export function Problems() {
  const all = [...[...priceRoutes, ...documentRoutes].flatMap(listProblems), ...problemsElsewhere]
  return (
    <dl class="fields">
      {[...Map.groupBy(all, ({ slug }) => slug)].map(([slug, some]) => (
        <ProblemRow slug={slug} some={some} />
      ))}
    </dl>
  )
}

function ProblemRow({
  slug,
  some,
}: {
  readonly slug: ProblemResponse['slug']
  readonly some: readonly ProblemResponse[]
}) {
  const statuses = [...new Set(some.map(({ status }) => status))].toSorted()
  const details = [...new Set(some.map(({ body }) => body.detail))]
  const retries = new Set(some.flatMap(({ headers }) => headers['Retry-After']?.value ?? []))
  return (
    <Row
      id={toProblemId(slug)}
      name={slug}
      facts={[statuses.join(', '), ...new Set(some.map(({ body }) => body.title))]}
      description={[
        `\`${slug === 'about:blank' ? slug : toProblemType(slug)}\``,
        ...details,
        ...[...retries].map(seconds => `\`Retry-After: ${seconds}\`.`),
      ].join('\n\n')}
      example={JSON.stringify(some[0]?.body, null, 2)}
    />
  )
}

/** The problems of a route by their status, and of its path with another method. */
export function ProblemsOfRoute({ route }: { readonly route: PriceRoute | DocumentRoute }) {
  const byStatus = Map.groupBy(listProblems(route), ({ status }) => status)
  return (
    <>
      <h3>Problems</h3>
      <Prose>{`Any method but \`GET\`, \`HEAD\` and \`OPTIONS\` is 404 ${toLink('unknown-route')}.`}</Prose>
      <dl class="fields">
        {[...byStatus].map(([status, some]) => (
          <Row
            id={`${route.operationId}.${status}`}
            name={`${status}`}
            facts={[]}
            description={[...new Set(some.map(({ slug }) => toLink(slug)))].join(' or ')}
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
