import { Marked } from 'marked'
import type { ComponentChildren } from 'preact'

/** CommonMark may contain HTML. A description has none, so `<` is text in it and is escaped. */
const commonMark = new Marked({
  renderer: { html: ({ text }) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') },
})

export function Prose({ children }: { readonly children: string }) {
  // The texts are our own, and HTML in them is escaped.
  return <div dangerouslySetInnerHTML={{ __html: commonMark.parse(children, { async: false }).trim() }} />
}

interface TableProps {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly [id: string, ...cells: ComponentChildren[]])[]
}

/** A table. The first cell of a row links to the row, so that it can be cited. */
export function Table({ columns, rows }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map(column => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([id, name, ...cells]) => (
          <tr id={id}>
            <th scope="row">
              <a href={`#${id}`}>{name}</a>
            </th>
            {cells.map((cell, index) => (
              <td data-column={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
