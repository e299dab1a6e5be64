import type { Operation, Parameter, Response } from './description.ts'
import { formatLimits, formatType } from './fields.ts'
import { formatRow, type Html, html, toProse } from './html.ts'
import { listProblems, toProblemId, toProblemName } from './problems.ts'
import { formatSnippets, toExample } from './snippets.ts'

/** Formats an operation: parameters, a form to try it, requests, responses, problems. */
export function formatOperation(path: string, operation: Operation): Html {
  const { operationId: id, summary, description, parameters, responses } = operation
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<section class="operation" aria-labelledby="${id}">
<div class="text">
<h2 id="${id}"><a href="#${id}"><code>GET ${path}</code></a></h2>
<p class="about">${summary}</p>
${toProse(description)}
${parameters.length > 0 ? formatParameters(id, parameters) : ''}
</div>
<div class="code">
<div class="try" hidden>
<h3>Try it</h3>
${formatForm(path, parameters)}
</div>
<h3>Request</h3>
${formatSnippets(path, operation)}
</div>
<div class="text">
${successes.map(([status, response]) => formatSuccess(id, status, response))}
<h3>Problems</h3>
<dl class="fields">${failures.map(([status, response]) => formatFailure(id, status, response))}</dl>
</div>
</section>`
}

function formatParameters(id: string, parameters: readonly Parameter[]): Html {
  const rows = parameters.map(parameter =>
    formatRow({
      id: `${id}.${parameter.name}`,
      name: parameter.name,
      facts: [
        html`in the ${parameter.in}, ${parameter.required ? 'required' : 'optional'}`,
        formatType(parameter.schema),
        ...formatLimits(parameter.schema),
      ],
      description: parameter.description,
      example: Object.keys(parameter.examples).length > 0 ? toExample(parameter) : undefined,
    }),
  )
  return html`<h3>Parameters</h3>
<dl class="fields">${rows}</dl>`
}

/** A form that the page's script shows and handles. */
function formatForm(path: string, parameters: readonly Parameter[]): Html {
  const fields = parameters.map(one => html`<label>${one.name} ${formatControl(one)}</label>\n`)
  return html`<form data-path="${path}">
${fields}<button class="send">Send the request</button>
</form>
<p class="outcome" role="status"></p>
<div class="response" hidden>
<figure><figcaption>Body</figcaption>
<pre class="body" tabindex="0" aria-label="Body"></pre></figure>
<figure><figcaption>Headers</figcaption>
<pre class="headers" tabindex="0" aria-label="Headers"></pre></figure>
</div>`
}

function formatControl(parameter: Parameter): Html {
  const { name, schema } = parameter
  const example = toExample(parameter)
  if (schema.enum === undefined)
    return html`<input name="${name}" value="${example}" list="${name}s" required
autocomplete="off" spellcheck="false">`
  return html`<select name="${name}" data-default="${schema.default}">${schema.enum.map(
    value => html`<option${value === example ? html` selected` : ''}>${String(value)}</option>`,
  )}</select>`
}

function formatSuccess(id: string, status: string, { description, headers, content }: Response): Html {
  const rows = Object.entries(headers).map(([name, { description, schema, example }]) =>
    formatRow({
      id: `${id}.${status}.${name}`,
      name,
      facts: formatLimits(schema),
      description,
      example,
    }),
  )
  const bodies = Object.entries(content).map(
    ([mediaType, { schema, examples }]) => html`<p>Body: <code>${mediaType}</code>, ${formatType(schema)}.</p>
${Object.entries(examples).map(([name, { summary, value }]) => formatExample(summary ?? name, value))}`,
  )
  return html`<h3>Response ${status}</h3>
${toProse(description)}
${bodies}
<details><summary>Headers</summary>
<dl class="fields">${rows}</dl></details>`
}

function formatExample(summary: string, value: unknown): Html {
  return html`<details><summary>${summary}</summary>
<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`
}

function formatFailure(id: string, status: string, response: Response): Html {
  const types = [...new Set(listProblems(status, response).map(({ type }) => type))]
  return formatRow({
    id: `${id}.${status}`,
    name: status,
    facts: types.map(type => html`<a href="#${toProblemId(type)}">${toProblemName(type)}</a>`),
    description: response.description,
  })
}
