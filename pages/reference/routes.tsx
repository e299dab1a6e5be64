import { parameters, priceRoutes } from '../../api/routes.ts'
import { Prose, Table } from './prose.tsx'

/** The two routes, each with a link that opens it, and their parameters. */
export function Routes() {
  return (
    <>
      <Table
        columns={['route', 'response', 'open it']}
        rows={priceRoutes.map(({ path, operationId, description }) => {
          const example = path.replace('{symbol}', parameters.symbol.example)
          return [operationId, <code>GET {path}</code>, <Prose>{description}</Prose>, <a href={example}>{example}</a>]
        })}
      />
      <Table
        columns={['parameter', 'place', 'meaning']}
        rows={Object.entries(parameters).map(([name, { in: place, description }]) => [
          `parameter-${name}`,
          <code>{name}</code>,
          place,
          <Prose>{description}</Prose>,
        ])}
      />
    </>
  )
}
