/** What each part of a table is. */
const roles = {
  table: 'table',
  'thead, tbody': 'rowgroup',
  tr: 'row',
  '[scope=col]': 'columnheader',
  '[scope=row]': 'rowheader',
  td: 'cell',
} as const

/**
 * Says of a table, or of a row of it, and of every part of that what it is.
 *
 * On a narrow page rows are laid out as grids, and to some browsers' screen readers such a row is none of a table any more.
 */
export function setTableRoles(whole: HTMLElement): void {
  for (const part of [whole, ...whole.querySelectorAll('*')]) {
    const found = Object.entries(roles).find(([parts]) => part.matches(parts))
    if (found !== undefined) part.setAttribute('role', found[1])
  }
}
