import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What each file imports: paths in the repository, and packages. An import of types alone has `type` before it. */
const importsOf = new Map(
  globSync('{api,bench,checks,infra,lambda,local,pages,test}/**/*.{ts,tsx}').map(file => [file, readImports(file)]),
)

function readImports(file: string): readonly string[] {
  const statements = /^(?:import|export)( type)?[\w\s{},*$]*'([^']+)'|^(?! \*).*\bimport\('([^']+)'\)/gm
  return Array.from(readFileSync(file, 'utf8').matchAll(statements), ([, type, from, dynamic]) => {
    const imported = `${from ?? dynamic}`
    const path = imported.startsWith('.') ? join(dirname(file), imported) : imported
    return type === undefined ? path : `type ${path}`
  })
}

test.each([
  ['no code imports a test', /^(?!test\/)/, /^(type )?test\//],
  ['api/ imports no other module', /^api\//, /^(type )?(bench|checks|infra|lambda|local|pages|test)\//],
  [
    'lambda/feeds/ imports nothing with which its results could depend on more than its arguments',
    /^lambda\/feeds\//,
    /^(?!(type )?(api|lambda\/feeds)\/|viem\/utils$|type viem$)/,
  ],
])('%s', (_, importing, forbidden) => {
  const files = [...importsOf].filter(([file]) => importing.test(file))
  expect(files.length).toBeGreaterThan(1)
  const found = files.map(([file, imports]) => [file, imports.filter(path => forbidden.test(path))])
  expect(found.filter(([, paths]) => paths?.length !== 0)).toEqual([])
})

/**
 * Follows the imports of files, except those of types, which load nothing. Lists each import that is wrong, after the
 * files that lead to it.
 */
function follow(files: readonly string[], isWrong: (path: string, importers: readonly string[]) => boolean) {
  const visited = new Set<string>()
  const visit = (path: string, importers: readonly string[]): readonly string[] => {
    if (isWrong(path, importers)) return [[...importers, path].join(' > ')]
    if (visited.has(path)) return []
    visited.add(path)
    const loaded = importsOf.get(path)?.filter(imported => !imported.startsWith('type ')) ?? []
    return loaded.flatMap(imported => visit(imported, [...importers, path]))
  }
  return files.flatMap(file => visit(file, []))
}

test('lambda/ loads neither zod nor another module than api/, which every cold start would load', () => {
  const functions = [...importsOf.keys()].filter(file => file.startsWith('lambda/'))
  expect(follow(functions, path => /^(zod$|(bench|checks|infra|local|pages)\/)/.test(path))).toEqual([])
})

test('no file loads itself through others', () => {
  expect(follow([...importsOf.keys()], (path, importers) => importers.includes(path))).toEqual([])
})
