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

async function replaceIn(file: string, from: string | RegExp, to: string, save: Save = inPlace): Promise<void> {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  expect(text.search(from)).toBeGreaterThan(-1)
  await save(path, text.replace(from, to))
}

const served = (path: string) =>
  expect.poll(async () => (await fetch(baseUrl + path)).text(), { timeout: 100_000, interval: 200 })

test.each<[file: string, from: string, to: string, path: string, save: Save]>([
  ['lambda/problems.ts', "title: 'Unknown symbol'", "title: 'Changed once'", '/price/NOPE', byRenaming],
  ['lambda/problems.ts', "title: 'Changed once'", "title: 'Changed twice'", '/price/NOPE', inPlace],
  ['infra/page.ts', 'html: html.trim()', "html: html.trim().replace('Changed', 'Again')", '/', inPlace],
])(
  'a change of %s, %s, is served at the same URL',
  async (file, from, to, path, save) => {
    // In the same reload as the change of infra/, which shows it.
    if (path === '/') await replaceIn('board/page.html', '<title>Price Lookup', '<title>Changed', byRenaming)
    await replaceIn(file, from, to, save)
    await served(path).toContain(to.match(/Changed \w+|Again|Changed/g)?.at(-1))
  },
  120_000,
)

test.each([
  ['of the bundler', 'lambda/handlers/get-price.ts', 'import', 'inport', 'lambda/handlers/get-price.ts:1:'],
  ['of the template', 'infra/route-function.ts', 'RPC_URLS_PARAMETER_', 'RENAMED_', 'the variable RPC_URLS_PARAMETER_'],
  [
    'of the edge',
    'infra/edge/canonical-request.js',
    'function handler',
    'function function handler',
    "Unexpected token 'function'",
  ],
])(
  'an error %s is printed, and the last version is served until it is mended',
  async (which, file, from, to, printed) => {
    await replaceIn(file, from, to)
    await command.until(printed)
    await command.until('Not reloaded. The last version is still served.')
    await served('/price/CRWD').toContain('"price":1079.9')
    await replaceIn('lambda/problems.ts', /Changed [^']+/, `Changed after an error ${which}`)
    await replaceIn(file, to, from)
    await served('/price/NOPE').toContain(`Changed after an error ${which}`)
  },
  120_000,
)

test('a new feed needs a restart, which is printed', async () => {
  expect(await command.until('Reloaded')).not.toContain('Restart')
  await replaceIn('lambda/feeds/registry.json', '"symbol": "SHOP"', '"symbol": "SHOPX"')
  await command.until('Restart to add feeds or networks.')
  await served('/price/SHOPX').toContain('"symbol":"SHOPX"')
}, 120_000)

test('SIGTERM ends it with its processes and files', async () => {
  command.child.kill('SIGTERM')
  expect((await command.ended).code).toBe(0)
  await expect.poll(commands.running).toEqual([])
  expect(commands.files()).toEqual([])
})
