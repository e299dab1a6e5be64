import { problemSlugs } from '../../api/problems.ts'
import { listProblems, type ProblemResponse, preflightProblems, problemsElsewhere } from '../../api/responses.ts'
import { priceRoutes } from '../../api/routes.ts'
import { Table } from './prose.tsx'

/** Every problem of the API, and last what the gateway refuses by itself. */
export function Problems() {
  const all = [...priceRoutes.flatMap(listProblems), ...problemsElsewhere, ...preflightProblems]
  return (
    <>
      <p>
        The <code>type</code> is <code>urn:problem-type:price-lookup:</code> with the name below, and{' '}
        <code>about:blank</code> for a request that the gateway refused by itself. Branch on it and on the HTTP status.
      </p>
      <Table
        columns={['type ends with', 'HTTP', 'detail']}
        rows={[...problemSlugs, 'about:blank'].map(slug => {
          const responses = all.filter(response => response.slug === slug)
          return [
            `problem-${slug.replace('about:', '')}`,
            <code>{slug}</code>,
            [...new Set(responses.map(({ status }) => status))].toSorted().join(', '),
            <Details responses={responses} />,
          ]
        })}
      />
    </>
  )
}

function Details({ responses }: { readonly responses: readonly ProblemResponse[] }) {
  const details = new Set(responses.map(({ body }) => body.detail))
  const retries = new Set(responses.flatMap(({ headers }) => headers['Retry-After']?.value ?? []))
  return [
    ...[...details].map(detail => <p>{detail}</p>),
    ...[...retries].map(seconds => (
      <p>
        <code>{`Retry-After: ${seconds}`}</code>
      </p>
    )),
  ]
}
