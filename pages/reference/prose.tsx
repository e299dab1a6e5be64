import { Marked } from 'marked'
import type { ComponentChildren } from 'preact'

/**
 * In the texts, what is bold is a term or a rule, and what is in italics refers to one, or to a section.
 *
 * CommonMark may contain HTML. A description has none, so `<` is text in it and is escaped.
 */
const commonMark = new Marked({
  renderer: {
    html: ({ text }) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    strong: ({ text }) => `<strong id="${toAnchor(text)}">${text}</strong>`,
    em: ({ text }) => `<a href="#${toAnchor(text)}">${text}</a>`,
  },
})

function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

export function Prose({ children }: { readonly children: string }) {
  // The texts are our own, and HTML in them is escaped.
  return <div dangerouslySetInnerHTML={{ __html: commonMark.parse(children, { async: false }).trim() }} />
}

interface TableProps {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly [id: string, ...cells: ComponentChildren[]])[]
}

/**
 * A table. The first cell of a row links to the row, so that it can be cited.
 *
 * The roles are explicit because a phone displays cells as blocks, and some browsers then do not expose a table.
 */
export function Table({ columns, rows }: TableProps) {
  return (
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(column => (
            <th role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(([id, name, ...cells]) => (
          <tr role="row" id={id}>
            <th role="rowheader" scope="row" data-column={columns[0]}>
              <a href={`#${id}`}>{name}</a>
            </th>
            {cells.map((cell, index) => (
              <td role="cell" data-column={columns[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
