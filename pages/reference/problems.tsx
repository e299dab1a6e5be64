import { toProblemType } from '../../api/problems.ts'
import { listProblems, type ProblemResponse, problemsElsewhere } from '../../api/responses.ts'
import { documentRoutes, priceRoutes } from '../../api/routes.ts'
import { Row } from './prose.tsx'

/** Returns the anchor of a problem. */
export function toProblemId(slug: ProblemResponse['slug']): string {
  return `problem-${slug.replace('about:', '')}`
}

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
