import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { documentRoutes } from '../api/routes.ts'
import { environments } from '../infra/environments.ts'

/** The texts of all Markdown files by path. */
const documents = new Map(globSync('{*,docs/**/*}.md').map(file => [file, readFileSync(file, 'utf8')]))

// zsh, the shell of macOS, has no comments on its command line: `npm test # all` passes `#` and `all` as arguments.
test('no shell block of a document has a comment', () => {
  const blocks = [...documents].flatMap(([file, text]) =>
    // The spaces are those of a list around a block.
    Array.from(text.matchAll(/^( *)```sh\n(.*?\n)\1```$/gms), ([, , commands = '']) => ({ file, commands })),
  )
  expect(new Set(blocks.map(({ file }) => file))).toContain('docs/operations.md')
  expect(blocks.filter(({ commands }) => /(^|\s)#/.test(commands))).toEqual([])
})

/** Lists the anchors of a text: its own, and those that GitHub makes of its headings. */
function anchorsOf(text = ''): readonly string[] {
  const own = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading.toLowerCase())
  return [...own, ...headings.map(heading => heading.replaceAll(/[^\w -]/g, '').replaceAll(' ', '-'))]
}

test('every link between the documents leads to a file or a heading', () => {
  const links = [...documents].flatMap(([file, text]) =>
    Array.from(text.matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g), ([link, path = '', anchor]) => {
      const target = path === '' ? file : join(dirname(file), path)
      return { file, link, target, anchor }
    }),
  )
  expect(links.length).toBeGreaterThan(50)
  const isWrong = ({ target, anchor }: (typeof links)[number]) =>
    anchor === undefined ? !existsSync(target) : !anchorsOf(documents.get(target)).includes(anchor)
  expect(links.filter(isWrong)).toEqual([])
})

// A vertical bar in a cell, even in code, begins another cell, unless a backslash is before it.
test('every row of a table has as many cells as its header', () => {
  const rows = [...documents].flatMap(([file, text]) =>
    Array.from(text.matchAll(/^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\n)+/gm), ([table]) => table.trim().split('\n')).flatMap(
      ([header = '', , ...lines]) =>
        lines.map(line => ({ file, line, isWrong: countCells(line) !== countCells(header) })),
    ),
  )
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ isWrong }) => isWrong)).toEqual([])
})

function countCells(line: string): number {
  return line.replaceAll('\\|', '').split('|').length
}

test('README.md and the board without JavaScript name each document of the gateway', () => {
  const paths = documentRoutes.map(({ path }) => path)
  const rows = documents.get('README.md')?.matchAll(/^\| `GET (\/\S*)` \| /gm) ?? []
  expect(Array.from(rows, ([, path]) => path)).toEqual(expect.arrayContaining(paths))
  const links = readFileSync('pages/board/page.html', 'utf8').matchAll(/<li><a href="(.+?)">/g)
  const linked = Array.from(links, ([, path]) => path)
  // The board has no link to itself.
  expect(linked).toEqual(expect.arrayContaining(paths.filter(path => path !== '/')))
})

test('docs/api.md has the limits of prod', () => {
  const { throttling, maxRequestsPerAddress } = environments.prod
  const { requestsPerSecond, burst } = throttling
  const text = documents.get('docs/api.md')?.replaceAll(/\s+/g, ' ')
  expect(text).toContain(`In \`prod\`, an address may send ${maxRequestsPerAddress} requests in five minutes.`)
  expect(text).toContain(`may send ${requestsPerSecond} requests per second for the list`)
  expect(text).toContain(`in bursts of up to ${burst.toLocaleString('en-US')},`)
  expect(text).toContain(
    `have a tenth of that: ${requestsPerSecond / 10} per second, in bursts of up to ${burst / 10}.`,
  )
})
