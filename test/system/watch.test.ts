import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashSources, synthesise } from '../../local/synthesise.ts'
import { type Command, type Commands, createCommands } from '../support/local/command.ts'
import { copyRepository } from '../support/local/copy-repository.ts'

/** A path with every character that a URL changes. */
let copy: string
let commands: Commands
let command: Command
let baseUrl: string

beforeAll(async () => {
  copy = join(await mkdtemp(join(tmpdir(), 'price-lookup-copy-')), 'a #b 100%25 ü?')
  await copyRepository(copy)
  // The start finds its stack in the cache. The changes are synthesised in the copy.
  const cache = join(copy, 'node_modules/.cache/price-lookup/synthesised')
  await synthesise(join(cache, await hashSources(copy)))
  commands = createCommands()
  command = commands.start(process.execPath, ['local/start.ts', '--watch', '--port', '0'], { cwd: copy })
  ;[baseUrl = ''] = /http:\S+\/v1(?=\/)/.exec(await command.until('Ctrl-C stops it.')) ?? []
})

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

type Change = readonly [file: string, from: string, to: string, save: Save]

const bundle: Change = ['lambda/handlers/get-price.ts', 'import', 'inport', inPlace]
const style: Change = ['pages/board/style.css', '{', '{{', byRenaming]
const description: Change = ['api/about.ts', "title: 'Price", 'title: Price', inPlace]
const template: Change = ['lambda/settings.ts', 'RPC_URLS_PARAMETER_', 'RENAMED_', byRenaming]
const correct = ([file, from, to]: Change, save: Save): Change => [file, to, from, save]

const lastVersion = [
  ['/price/CRWD', '"price":1079.9'],
  ['/price/NOPE', 'Unknown symbol'],
] as const

/** What is saved at once, and what is then printed, and served by path. */
type Step = readonly [
  name: string,
  changes: readonly Change[],
  printed: string,
  served: readonly (readonly [path: string, text: string])[],
]

// Each step begins where the one before ended: the file runs as a whole.
test.each<Step>([
  ['an error of the bundler', [bundle], 'lambda/handlers/get-price.ts:1:', lastVersion],
  ['broken CSS, after the bundle is corrected', [style, correct(bundle, byRenaming)], 'style.css:', lastVersion],
  [
    'a syntax error in the API, after the CSS is corrected',
    [description, correct(style, byRenaming)],
    'api/about.ts:',
    lastVersion,
  ],
  [
    'an error of the template beside other changes, by an editor that renames files',
    [
      template,
      correct(description, byRenaming),
      ['api/problems.ts', "title: 'Unknown symbol'", "title: 'Changed problem'", byRenaming],
      ['pages/board/page.html', '<title>Price Lookup', '<title>Changed page', byRenaming],
      ['lambda/feeds/registry.json', '"symbol": "SHOP"', '"symbol": "SHOPX"', byRenaming],
    ],
    'the variable RPC_URLS_PARAMETER_',
    lastVersion,
  ],
  [
    'a change in place of a file that was renamed, after which a new feed needs a restart',
    [correct(template, inPlace)],
    'Restart to add feeds or networks.',
    [
      ['/price/NOPE', 'Changed problem'],
      ['/', '<title>Changed page'],
      ['/price/SHOPX', '"symbol":"SHOPX"'],
    ],
  ],
])('%s: what is printed, and what is served at the same URL', async (_, changes, printed, served) => {
  for (const [file, from, to, save] of changes) {
    const path = join(copy, file)
    const text = await readFile(path, 'utf8')
    expect(text).toContain(from)
    await save(path, text.replace(from, to))
  }
  await command.until(printed)
  for (const [path, text] of served) expect(await (await fetch(baseUrl + path)).text()).toContain(text)
})

test('SIGTERM ends all processes and removes the files', async () => {
  command.child.kill('SIGTERM')
  const { code, printed, complained } = await command.ended
  expect(code).toBe(0)
  expect(printed).toMatch(/^Reloaded in \d+\.\d s\.\nRestart to add feeds or networks\.\n$/m)
  // A sentence after each error.
  expect(complained.match(/^Not reloaded\. The last version is still served\.$/gm)?.length).toBeGreaterThanOrEqual(4)
  await commands.expectNothingLeft([])
})
