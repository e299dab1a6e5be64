import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What each module may import besides itself. `/` or `:` at the end includes everything below, `type` types alone. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // The functions import what is not in `schemas`, and so never zod.
  'api/schemas/': ['api/', 'type viem', 'viem/utils', 'zod'],
  'api/networks.ts': ['api/keys-of.ts', 'viem/chains', 'type viem'],
  'api/': ['type viem'],
  'lambda/handlers/': [
    'api/headers.ts',
    'api/networks.ts',
    'api/problems.ts',
    'type api/',
    'lambda/chain/',
    'lambda/faults.ts',
    'lambda/feeds/',
    'lambda/rpc-urls/load-rpc-urls.ts',
    'lambda/settings.ts',
    'lambda/timing.ts',
    '@middy/',
    'type aws-lambda',
  ],
  'lambda/feeds/': ['api/networks.ts', 'api/problems.ts', 'api/statuses.ts', 'type api/', 'viem/utils', 'type viem'],
  'lambda/chain/': [
    'api/networks.ts',
    'api/problems.ts',
    'api/statuses.ts',
    'type api/',
    'lambda/faults.ts',
    'lambda/feeds/',
    'lambda/rpc-urls/rpc-host.ts',
    'lambda/timing.ts',
    'type viem',
    'node:',
  ],
  'lambda/rpc-urls/': ['api/problems.ts', 'type api/', 'type lambda/', 'lambda/timing.ts', '@aws-sdk/client-ssm'],
  'lambda/settings.ts': ['api/networks.ts', 'type api/'],
  'lambda/timing.ts': ['type lambda/'],
  'lambda/faults.ts': ['api/keys-of.ts', 'type lambda/', 'lambda/timing.ts'],
  'lambda/credential-provider.ts': ['@aws-sdk/credential-provider-env'],
  'infra/': [
    'api/',
    'pages/documents.ts',
    'lambda/faults.ts',
    'lambda/feeds/',
    'lambda/settings.ts',
    'lambda/timing.ts',
    'type lambda/',
    'aws-cdk-lib',
    'aws-cdk-lib/',
    'cdk-nag',
    'cdk-nag/',
    'type constructs',
    'esbuild',
    'zod',
    'node:',
  ],
  'pages/board/': ['api/headers.ts', 'api/networks.ts', 'api/statuses.ts', 'type api/', 'preact', 'preact/'],
  'pages/reference/': [
    'api/',
    'lambda/feeds/registry.ts',
    'pages/board/data/numbers.ts',
    'marked',
    'preact',
    'preact-render-to-string',
    'zod',
  ],
  'pages/examples.ts': ['api/networks.ts', 'api/schemas/openapi.ts', 'type api/', 'lambda/feeds/', 'viem/utils'],
  'pages/': ['api/', 'pages/', 'esbuild', 'node:'],
  'local/': [
    'api/',
    'pages/documents.ts',
    'lambda/feeds/registry.json',
    'lambda/settings.ts',
    'lambda/timing.ts',
    'type lambda/handlers/',
    'type aws-lambda',
    'viem',
    'zod',
    'node:',
  ],
  'smoke/check-rpc.ts': ['lambda/rpc-urls/parse-rpc-urls.ts', 'smoke/rpc-report.ts', 'node:'],
  'smoke/rpc-report.ts': ['api/networks.ts', 'lambda/', 'node:', 'smoke/wrong-feeds.ts'],
  'smoke/wrong-feeds.ts': ['lambda/', 'viem'],
  // Two functions.
  'smoke/probe.ts': ['lambda/settings.ts', 'smoke/'],
  'smoke/before-allow-traffic.ts': [
    'api/routes.ts',
    'type lambda/',
    'lambda/settings.ts',
    'lambda/timing.ts',
    '@aws-sdk/client-codedeploy',
    '@aws-sdk/client-lambda',
    'smoke/',
    'node:',
  ],
  'smoke/': ['api/', 'type zod', 'node:'],
  'bench/': [
    'api/',
    'lambda/',
    'infra/',
    'local/',
    '@aws-sdk/client-ssm',
    'type aws-lambda',
    'esbuild',
    'selfsigned',
    'viem',
    'viem/',
    'node:',
  ],
}

const importsOf = new Map(
  globSync('{api,lambda,infra,pages,local,smoke,bench,test}/**/*.{ts,tsx}').map(file => [file, readImports(file)]),
)

test('each module imports only what it may (CONTRIBUTING.md, "Modules and boundaries")', () => {
  expect(findForbidden(importsOf)).toEqual([])
})

test.each([
  ['api/problems.ts', 'zod'],
  ['api/problems.ts', 'api/schemas/record.ts'],
  ['lambda/feeds/registry.ts', 'lambda/chain/hedge.ts'],
  ['lambda/handlers/http.ts', 'zod'],
  ['lambda/new.ts', 'node:fs'],
  ['infra/app.ts', 'lambda/rpc-urls/load-rpc-urls.ts'],
  ['pages/board/view.ts', 'lambda/feeds/registry.ts'],
  ['local/start.ts', 'lambda/feeds/registry.ts'],
  ['smoke/smoke.ts', 'type lambda/faults.ts'],
  ['bench/bench.ts', 'test/support/container.ts'],
])('%s may not import %s', (file, imported) => {
  expect(findForbidden(new Map([[file, [imported]]]))).toEqual([`${file} imports ${imported}`])
})

test('there is no cycle of files or of folders', () => {
  expect(findCycles(path => path)).toEqual([])
  expect(findCycles(path => (path.startsWith('test/') ? path : path.split('/').slice(0, 2).join('/')))).toEqual([])
})

test('no file is named after nothing in particular', () => {
  expect([...importsOf.keys()].filter(file => /\b(utils?|helpers?|common|types|index)\.tsx?$/.test(file))).toEqual([])
})

/** Lists the imports of a file: paths in the repository and packages, with `type` before those of types alone. */
function readImports(file: string): string[] {
  const statements = /^(?:import|export)( type)?[\w\s{},*$]*'([^']+)'|\bimport\('([^']+)'\)/gm
  return [...readFileSync(file, 'utf8').matchAll(statements)].map(([, type = '', from, dynamic]) => {
    const imported = from ?? dynamic ?? ''
    return `${type.trimStart()} ${imported.startsWith('.') ? join(dirname(file), imported) : imported}`.trimStart()
  })
}

function findForbidden(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return [...imports].flatMap(([file, imported]) => {
    if (file.startsWith('test/')) return []
    const module = Object.keys(mayImport).find(folder => file.startsWith(folder)) ?? ''
    const rules = [module, ...(mayImport[module] ?? [])]
    const isForbidden = (path: string) =>
      !rules.some(rule => allows(rule, path)) || (module === 'api/' && /^api\/schemas\//.test(path))
    return imported.filter(isForbidden).map(path => `${file} imports ${path}`)
  })
}

function allows(rule: string, imported: string): boolean {
  const compared = rule.startsWith('type ') ? imported : toPath(imported)
  return /[/:]$/.test(rule) ? compared.startsWith(rule) : compared === rule
}

function toPath(imported: string): string {
  return imported.replace(/^type /, '')
}

/** Finds cycles of imports: removes what imports nothing that is left, or what nothing imports, until only cycles remain. */
function findCycles(toNode: (path: string) => string): string[] {
  const edges = [...importsOf].flatMap(([file, imports]) =>
    imports.map(imported => ({ from: toNode(file), to: toNode(toPath(imported)) })),
  )
  let left = edges.filter(({ from, to }) => from !== to)
  let removed = 1
  while (removed > 0) {
    const importing = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    const next = left.filter(({ from, to }) => importing.has(to) && imported.has(from))
    removed = left.length - next.length
    left = next
  }
  return [...new Set(left.map(({ from, to }) => `${from} imports ${to}`))]
}
