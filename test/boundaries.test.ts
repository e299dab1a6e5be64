import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const forbidden: Record<string, string[]> = {
  'lambda/feeds/new.ts': [
    '../chain/hedge.ts',
    '../handlers/http.ts',
    '../rpc-urls.ts',
    '../../infra/app.ts',
    'viem/chains',
    'node:fs',
    '@aws-sdk/client-ssm',
  ],
  'lambda/chain/new.ts': [
    '../handlers/http.ts',
    '../rpc-urls.ts',
    '@middy/core',
    '../../local/start.ts',
    '../settings.ts',
  ],
  'lambda/handlers/new.ts': ['@aws-sdk/client-ssm', 'viem', 'aws-cdk-lib', 'node:fs', 'zod', '../../smoke/http.ts'],
  'lambda/rpc-urls.ts': ['./chain/hedge.ts', './handlers/http.ts', 'viem'],
  'lambda/problems.ts': ['./feeds/registry.ts', 'viem', 'node:fs'],
  'infra/new.ts': ['../lambda/chain/read-feeds.ts', '../lambda/rpc-urls.ts', '../local/start.ts', '../board/view.ts'],
  'smoke/new.ts': ['../lambda/problems.ts', '../local/start.ts', 'viem', 'zod', '@aws-sdk/client-ssm'],
  'board/new.ts': ['../lambda/rpc-urls.ts', '../infra/app.ts', 'viem', 'node:fs'],
  'local/new.ts': [
    '../lambda/feeds/registry.ts',
    '../infra/environments.ts',
    '../smoke/smoke.ts',
    '../test/chain/faulty-node.ts',
    '../board/main.ts',
    'aws-cdk-lib/aws-lambda',
  ],
  'bench/new.ts': ['../test/service.test.ts'],
}

const allowed: Record<string, string[]> = {
  'lambda/feeds/new.ts': ['viem', 'viem/utils', '../problems.ts', './registry.json'],
  'lambda/chain/new.ts': [
    'viem',
    'viem/chains',
    'node:https',
    'node:timers/promises',
    '../feeds/registry.ts',
    '../problems.ts',
  ],
  'lambda/handlers/new.ts': ['@middy/core', '../chain/read-feeds.ts', '../rpc-urls.ts', '../feeds/registry.ts'],
  'lambda/rpc-urls.ts': ['@aws-sdk/client-ssm', './feeds/registry.ts', './problems.ts'],
  'infra/new.ts': ['aws-cdk-lib', '../lambda/feeds/registry.ts', '../lambda/problems.ts'],
  'smoke/new.ts': ['node:util', 'node:dns/promises', 'ajv/dist/2020.js', './answer.ts'],
  'board/new.ts': ['./age.ts', '../lambda/feeds/price-record.ts', '../lambda/networks.ts'],
  'local/new.ts': ['../lambda/feeds/registry.json', '../lambda/networks.ts', 'viem', 'node:fs'],
}

test('lint reports every import across a boundary', () => {
  expect(lint(forbidden)).toEqual(forbidden)
})

test('lint accepts every import within the boundaries', () => {
  expect(lint(allowed)).toEqual({})
})

/** Lints files that consist of imports. Returns the imports that `noRestrictedImports` reports. */
function lint(files: Record<string, string[]>): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-boundaries-'))
  copyFileSync('biome.json', join(folder, 'biome.json'))
  for (const [file, imports] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), imports.map(imported => `export * from '${imported}'\n`).join(''))
  }
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--reporter=github', '--vcs-enabled=false', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const reported: Record<string, string[]> = {}
  for (const [file, imports] of Object.entries(files)) {
    // The linter reports in no particular order.
    const found = stdout.matchAll(new RegExp(`noRestrictedImports,file=[^,]*${file},line=(\\d+)`, 'g'))
    const lines = new Set([...found].map(([, line]) => Number(line)))
    if (lines.size > 0) reported[file] = imports.filter((_, index) => lines.has(index + 1))
  }
  return reported
}
