import { Marked } from 'marked'
import type { ComponentChildren } from 'preact'

/** CommonMark may contain HTML. A description has none, so `<` is text in it and is escaped. */
const commonMark = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } })

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A description, which is CommonMark. A list of terms with their meanings becomes a table. */
export function Prose({ children }: { readonly children: string }) {
  const html = commonMark.parse(children, { async: false }).trim()
  const withTables = html.replaceAll(/<ul>\n(.*?)\n<\/ul>/gs, (list, terms: string) => toTermTable(terms) ?? list)
  // The texts are our own, and HTML in them is escaped.
  return <div dangerouslySetInnerHTML={{ __html: withTables }} />
}

/** The HTML of `- **Age**: …` or ``- `OK`: …``. */
const termForm = /^<li>(<(?:strong|code)>.*?<\/(?:strong|code)>[^:]*): (.*?)<\/li>$/s

function toTermTable(terms: string): string | undefined {
  const rows = terms.split(/\n(?=<li>)/).map(term => termForm.exec(term))
  if (!rows.every(row => row !== null)) return undefined
  const capitalise = (text: string) => text.replace(/^[a-z]/, letter => letter.toUpperCase())
  const cells = rows.map(
    ([, term, meaning]) => `<tr><th scope="row">${term}</th><td>${capitalise(`${meaning}`)}</td></tr>`,
  )
  return `<table class="terms">${cells.join('\n')}</table>`
}

interface RowProps {
  readonly id: string
  readonly name: string
  /** What is below the name, such as the type. */
  readonly facts: readonly ComponentChildren[]
  readonly description?: string | undefined
  readonly example?: string | undefined
}

/** A row of a definition list. Its name links to itself, so that it can be cited. */
export function Row({ id, name, facts, description, example }: RowProps) {
  return (
    <div id={id}>
      <dt>
        <a href={`#${id}`}>
          <code>{name}</code>
        </a>{' '}
        {facts.map((fact, index) => [index > 0 && ' ', <span>{fact}</span>])}
      </dt>
      <dd>
        {description !== undefined && <Prose>{description}</Prose>}
        {example !== undefined && (
          <p>
            Example: <code>{example}</code>
          </p>
        )}
      </dd>
    </div>
  )
}

/** A text that the page's script adds a copy button to. */
export function Figure({ caption, children }: { readonly caption: string; readonly children: ComponentChildren }) {
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}
