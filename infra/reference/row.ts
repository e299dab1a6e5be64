import { type Html, html, toProse } from './html.ts'

interface Row {
  readonly id: string
  readonly name: string
  /** What stands below the name, such as the type. */
  readonly facts: readonly Html[]
  readonly description: string | undefined
  readonly example?: string | undefined
}

/** Formats a row of a definition list. Its name links to itself, so that it can be cited. */
export function formatRow({ id, name, facts, description, example }: Row): Html {
  return html`<div id="${id}"><dt><a href="#${id}"><code>${name}</code></a> ${facts.map(fact => html`<span>${fact}</span>`)}</dt>
<dd>${toProse(description)}${example === undefined ? [] : html`<p>Example: <code>${example}</code></p>`}</dd></div>`
}
