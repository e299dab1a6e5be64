import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Command, type Commands, createCommands } from './command.ts'
import { copyRepository } from './copy-repository.ts'

/** A path with every character that a URL changes. */
let copy: string
let commands: Commands
let command: Command
let baseUrl: string

beforeAll(async () => {
  copy = join(await mkdtemp(join(tmpdir(), 'price-lookup-copy-')), 'a #b 100%25 ü?')
  await copyRepository(copy)
  commands = createCommands()
  command = commands.start(process.execPath, ['local/start.ts', '--watch', '--edge', '--port', '0'], { cwd: copy })
  ;[baseUrl = ''] = /http:\S+\/v1(?=\/)/.exec(await command.until('Ctrl-C stops it.')) ?? []
}, 120_000)

afterAll(async () => {
  await commands.stop()
  await rm(join(copy, '..'), { recursive: true })
})

type Save = (file: string, text: string) => Promise<void>
const inPlace: Save = writeFile
const byRenaming: Save = async (file, text) => {
  await writeFile(`${file}~`, text)
  await rename(`${file}~`, file)
}

/** What is saved at once, and what is then printed, or served at a path. */
type Step = readonly [
  name: string,
  changes: readonly (readonly [file: string, from: string, to: string, save: Save])[],
  printed: string | undefined,
  served: readonly (readonly [path: string, text: string])[],
]

const broken = {
  bundle: ['lambda/handlers/get-price.ts', 'import', 'inport'],
  template: ['infra/functions/route-function.ts', 'RPC_URLS_PARAMETER_', 'RENAMED_'],
  edge: ['infra/edge/canonical-request.js', 'function handler', 'function function handler'],
} as const
const breaks = (name: keyof typeof broken) => [...broken[name], inPlace] as const
const mends = (name: keyof typeof broken) => [broken[name][0], broken[name][2], broken[name][1], byRenaming] as const
const lastVersion = ['/price/CRWD', '"price":1079.9'] as const

// Each step begins where the one before ended: the file runs as a whole.
test.each<Step>([
  ['an error of the bundler', [breaks('bundle')], 'lambda/handlers/get-price.ts:1:', [lastVersion]],
  [
    'an error of the template, after that of the bundler is corrected',
    [breaks('template'), mends('bundle')],
    'the variable RPC_URLS_PARAMETER_',
    [lastVersion],
  ],
  [
    'an error of the edge, after that of the template is corrected',
    [breaks('edge'), mends('template')],
    "Unexpected token 'function'",
    [lastVersion],
  ],
  [
    'a description that is no YAML, after the edge is corrected',
    [['openapi.yaml', 'title: Price Lookup', 'title: Price: Lookup', inPlace], mends('edge')],
    'openapi.yaml: Nested mappings are not allowed in compact mappings at line 4, column 10.\n',
    [lastVersion],
  ],
  [
    'a change beside the correction of the last error, by an editor that renames files',
    [
      ['openapi.yaml', 'title: Price: Lookup', 'title: Price Lookup', byRenaming],
      ['lambda/problems.ts', "title: 'Unknown symbol'", "title: 'Changed once'", byRenaming],
    ],
    'Reloaded',
    [['/price/NOPE', 'Changed once']],
  ],
  [
    'a change in place of a file that was renamed',
    [['lambda/problems.ts', 'Changed once', 'Changed twice', inPlace]],
    undefined,
    [['/price/NOPE', 'Changed twice']],
  ],
  [
    'a change of the page, and of a feed, which needs a restart',
    [
      ['board/page.html', '<title>Price Lookup', '<title>Changed', inPlace],
      ['lambda/feeds/registry.json', '"symbol": "SHOP"', '"symbol": "SHOPX"', inPlace],
    ],
    'Restart to add feeds or networks.',
    [
      ['/', '<title>Changed'],
      ['/price/SHOPX', '"symbol":"SHOPX"'],
    ],
  ],
])(
  '%s: what is printed, and what is served at the same URL',
  async (_, changes, printed, served) => {
    for (const [file, from, to, save] of changes) {
      const path = join(copy, file)
      const text = await readFile(path, 'utf8')
      expect(text).toContain(from)
      await save(path, text.replace(from, to))
    }
    if (printed !== undefined) await command.until(printed)
    for (const [path, text] of served) {
      const get = async () => (await fetch(baseUrl + path)).text()
      await expect.poll(get, { timeout: 100_000, interval: 200 }).toContain(text)
    }
  },
  120_000,
)

test('SIGTERM ends all processes and removes the files', async () => {
  command.child.kill('SIGTERM')
  const { code, complained } = await command.ended
  expect(code).toBe(0)
  // A sentence after each error.
  expect(complained.match(/^Not reloaded\. The last version is still served\.$/gm)?.length).toBeGreaterThanOrEqual(3)
  await expect.poll(commands.running).toEqual([])
  expect(commands.files()).toEqual([])
})
