import { Marked, type Tokens } from 'marked'
import { findRoute } from '../../api/routes.ts'
import { exampleBaseUrl } from '../../api/schemas/openapi.ts'

/** The comment in `docs/api.md` after which the page has nothing more of it. */
const endOfPage = '<!-- The page /docs ends here. -->'

/**
 * Renders `docs/api.md` as the content of the page `/docs`: its introduction, links to its sections, and the sections.
 *
 * The title of the document and what concerns the repository alone are left out. Links to other documents begin with
 * `/`.
 */
export function renderReference(document: string): string {
  const [ofPage = ''] = document.split(endOfPage)
  const [start = '', ...texts] = ofPage.split(/^(?=## )/m)
  const sections = texts.map(text => {
    const title = /^## (.+)/.exec(text)?.[1] ?? ''
    return { id: toAnchor(title), title, text }
  })
  return [
    toHtml(start.replace(/^# .+/, '')),
    '<nav aria-label="Contents">',
    ...sections.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`),
    '</nav>',
    ...sections.map(({ id, text }) => `<section aria-labelledby="${id}">\n${toHtml(text)}\n</section>`),
  ].join('\n')
}

/** Bold text is a term or a rule, and becomes an anchor. On GitHub, one that is referred to has an anchor before it. */
function toHtml(markdown: string): string {
  return markdownToHtml.parse(markdown.replaceAll(/<a id="[\w-]+"><\/a>(?=\*\*)/g, ''), { async: false }).trim()
}

const markdownToHtml = new Marked({
  renderer: {
    html: ({ text }) => toOwnHtml(text),
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    strong({ text, tokens }) {
      return `<strong id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</strong>`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const target = href === '../api/openapi.json' ? '/openapi.json' : href
      // A deployment serves no other file of the repository, so a link to one is its text.
      return /^(https:|[/#])/.test(target) ? `<a href="${escapeHtml(target)}">${text}</a>` : text
    },
    codespan({ text }) {
      const code = `<code>${toCode(text)}</code>`
      return isPath(text) ? `<a href="${text}">${code}</a>` : code
    },
    code: ({ text }) => `<pre>${toCode(text)}</pre>\n`,
    table({ header, rows }) {
      const toContent = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
      return formatTable(
        header.map(toContent),
        rows.map(cells => cells.map(toContent)),
      )
    },
  },
})

/** Keeps the elements that `docs/api.md` has, removes its comments, and escapes any other HTML, which is text. */
function toOwnHtml(html: string): string {
  if (/^<!--.*-->\s*$/s.test(html)) return ''
  const isOwn = /^(<\/?details>|<br>|<summary>[^<]*<\/summary>|<a id="[\w.-]+">|<\/a>|\s)*$/.test(html)
  return isOwn ? html : escapeHtml(html)
}

const exampleUrls = new RegExp(`${RegExp.escape(exampleBaseUrl)}[\\w/.?=-]*`, 'g')

/** Escapes code. Its URLs become elements, in which the page's script replaces the base URL by that of the page. */
function toCode(text: string): string {
  return escapeHtml(text).replaceAll(exampleUrls, '<span class="url">$&</span>')
}

/** Returns whether code is the path of a response that can be opened. */
function isPath(code: string): boolean {
  return /^\/[\w./]+$/.test(code) && findRoute(code) !== undefined
}

/** Returns the anchor that GitHub gives to a heading of letters, digits, spaces, commas and hyphens. */
export function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/**
 * Formats a table. If the first cell of a row begins with an anchor, the row has it, and the cell is a link to the row.
 *
 * The roles are explicit because a phone displays cells as blocks, and some browsers then do not expose a table.
 */
function formatTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const headers = columns.map(column => `<th role="columnheader" scope="col">${column}</th>`)
  return [
    '<table role="table">',
    `<thead role="rowgroup"><tr role="row">${headers.join('')}</tr></thead>`,
    '<tbody role="rowgroup">',
    ...rows.map(cells => formatRow(columns, cells)),
    '</tbody>',
    '</table>\n',
  ].join('\n')
}

function formatRow(columns: readonly string[], [first = '', ...others]: readonly string[]): string {
  const [, id, name] = /^<a id="(.+?)"><\/a>(.*)$/s.exec(first) ?? []
  const title = id === undefined ? first : `<a href="#${id}">${name}</a>`
  const cells = others.map((cell, index) => formatCell(columns[index + 1], cell))
  return [
    id === undefined ? '<tr role="row">' : `<tr role="row" id="${id}">`,
    `<th role="rowheader" scope="row" data-column="${columns[0]}">${title}</th>`,
    ...cells,
    '</tr>',
  ].join('')
}

/** On GitHub, a cell has one paragraph, so the document separates paragraphs by empty lines. */
function formatCell(column: string | undefined, cell: string): string {
  const paragraphs = cell.split('<br><br>')
  const content = paragraphs.length === 1 ? cell : paragraphs.map(paragraph => `<p>${paragraph}</p>`).join('')
  const isRefused = column === 'served' && cell === 'no'
  return `<td role="cell" data-column="${column}"${isRefused ? ' class="refused"' : ''}>${content}</td>`
}
