import { Marked } from 'marked'

/** HTML, as opposed to text that is not escaped yet. */
export interface Html {
  readonly html: string
}

type Content = Html | string | undefined | readonly Content[]

/**
 * Makes HTML of a template. Every value that is not HTML itself is escaped, also for an attribute in double quotes.
 *
 * @example
 * html`<p>${'a < b'}</p>`.html // '<p>a &lt; b</p>'
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(toHtmlText)) }
}

function toHtmlText(content: Content): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return escapeHtml(content)
  return 'html' in content ? content.html : content.map(toHtmlText).join('')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** CommonMark may contain HTML. A description has none, so `<` is text in it and is escaped. */
const commonMark = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } })

/** Converts a description, which is CommonMark, to HTML. A list of terms with their meanings becomes a table. */
export function toProse(description: string | undefined): Html {
  const prose = commonMark.parse(description ?? '', { async: false }).trim()
  return { html: prose.replaceAll(/<ul>\n(.*?)\n<\/ul>/gs, (list, terms: string) => toTermTable(terms) ?? list) }
}

/** The HTML of `- **Age**: …` or ``- `OK`: …``. */
const termForm = /^<li>(<(?:strong|code)>.*?<\/(?:strong|code)>): (.*?)<\/li>$/s

function toTermTable(terms: string): string | undefined {
  const rows = terms.split(/\n(?=<li>)/).map(term => termForm.exec(term))
  if (!rows.every(row => row !== null)) return undefined
  const capitalise = (text: string) => text.replace(/^[a-z]/, letter => letter.toUpperCase())
  const cells = rows.map(
    ([, term, meaning]) => `<tr><th scope="row">${term}</th><td>${capitalise(`${meaning}`)}</td></tr>`,
  )
  return `<table class="terms">${cells.join('\n')}</table>`
}

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
  const spans = facts.map(fact => html`<span>${fact}</span>`)
  return html`<div id="${id}"><dt><a href="#${id}"><code>${name}</code></a> ${spans}</dt>
<dd>${toProse(description)}${example === undefined ? [] : html`<p>Example: <code>${example}</code></p>`}</dd></div>`
}
