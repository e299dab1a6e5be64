import { globSync, readFileSync } from 'node:fs'

/** The texts of all Markdown files by path. */
export const documents: ReadonlyMap<string, string> = new Map(
  globSync('{*,docs/**/*}.md').map(file => [file, readFileSync(file, 'utf8')]),
)

/** The commands of each shell block of a Markdown text, also of those in lists. */
export const shellBlocksOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^( *)```sh\n(.*?\n)\1```$/gms), ([, , commands = '']) => commands)
