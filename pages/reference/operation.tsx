import { toHeaderSchema } from '../../api/openapi.ts'
import { type Headers, priceHeaders } from '../../api/responses.ts'
import { type ParameterName, type PriceRoute, parameters } from '../../api/routes.ts'
import { toLimits } from './fields.tsx'
import { Form } from './form.tsx'
import { ProblemsOfRoute } from './problems.tsx'
import { Prose, Row } from './prose.tsx'
import { Snippets, toExample } from './snippets.tsx'

/** A route that a function answers: parameters, a form to try it, requests, the response, problems. */
export function PriceOperation({
  route,
  examples,
}: {
  readonly route: PriceRoute
  /** Bodies by their summary. */
  readonly examples: Readonly<Record<string, object>>
}) {
  const { path, operationId: id, summary, description, success } = route
  return (
    <section class="operation" aria-labelledby={id}>
      <div class="text">
        <h2 id={id}>
          <a href={`#${id}`}>
            <code>GET {path}</code>
          </a>
        </h2>
        <p class="about">{summary}</p>
        <Prose>{description}</Prose>
        <h3>Parameters</h3>
        <dl class="fields">
          {route.parameters.map(name => (
            <ParameterRow id={`${id}.${name}`} name={name} />
          ))}
        </dl>
      </div>
      <div class="code">
        <Form path={path} names={route.parameters} />
        <h3>Request</h3>
        <Snippets route={route} />
      </div>
      <div class="text">
        <h3>Response 200</h3>
        <p>
          Body: <code>application/json</code>, <a href={`#${success}`}>{success}</a>.
        </p>
        {Object.entries(examples).map(([name, body]) => (
          <details>
            <summary>{name}</summary>
            <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
          </details>
        ))}
        <HeaderRows id={id} headers={priceHeaders} />
        <ProblemsOfRoute route={route} />
      </div>
    </section>
  )
}

function ParameterRow({ id, name }: { readonly id: string; readonly name: ParameterName }) {
  const { in: place, required, description, schema } = parameters[name]
  return (
    <Row
      id={id}
      name={name}
      facts={[`in the ${place}, ${required ? 'required' : 'optional'}`, schema.type, ...toLimits(schema)]}
      description={description}
      example={'default' in schema ? undefined : toExample(name)}
    />
  )
}

function HeaderRows({ id, headers }: { readonly id: string; readonly headers: Headers }) {
  return (
    <details>
      <summary>Headers</summary>
      <dl class="fields">
        {Object.entries(headers).map(([name, { description, value, example }]) => (
          <Row
            id={`${id}.200.${name}`}
            name={name}
            facts={toLimits(toHeaderSchema(value))}
            description={description}
            example={example}
          />
        ))}
      </dl>
    </details>
  )
}
