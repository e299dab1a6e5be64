import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** The texts of all Markdown files by path. */
const documents = new Map(globSync('{*,docs/**/*}.md').map(file => [file, readFileSync(file, 'utf8')]))

// zsh, the shell of macOS, has no comments on its command line: `npm test # all` passes `#` and `all` as arguments.
test('no shell block of a document has a comment', () => {
  const blocks = [...documents].flatMap(([file, text]) =>
    // Also those in lists.
    Array.from(text.matchAll(/^( *)```sh\n(.*?\n)\1```$/gms), ([, , commands = '']) => ({ file, commands })),
  )
  expect(new Set(blocks.map(({ file }) => file))).toContain('docs/operations.md')
  expect(blocks.filter(({ commands }) => /(^|\s)#/.test(commands))).toEqual([])
})

/** The anchors of a text, as GitHub makes them of its headings. */
function anchorsOf(text = ''): readonly string[] {
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading.toLowerCase())
  return headings.map(heading => heading.replaceAll(/[^\w -]/g, '').replaceAll(' ', '-'))
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
