import { globSync, readFileSync } from 'node:fs'

/** The texts of all Markdown files by path. */
export const documents: ReadonlyMap<string, string> = new Map(
  globSync('{*,docs/**/*}.md').map(file => [file, readFileSync(file, 'utf8')]),
)
