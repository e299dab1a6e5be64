import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import repository from '../../package.json' with { type: 'json' }
import { createCommands } from '../support/local/command.ts'
import { copyRepository } from '../support/local/copy-repository.ts'

const { folder: copy, parent, ...copied } = await copyRepository()
const commands = createCommands()

afterAll(async () => {
  await commands.stop()
  await copied[Symbol.asyncDispose]()
})

/** Writes the remote address of every connection to a file, one per line. */
const recorder = `import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
subscribe('net.client.socket', ({ socket }) => {
  const record = address => appendFileSync(process.env.RECORDED, address + '\\n')
  socket.on('lookup', (_, address, __, host) => record(host + ' ' + address))
  socket.on('connect', () => record(socket.remoteAddress + ':' + socket.remotePort))
})`

test('in the shell of an engineer with a proxy and AWS settings, no connection leaves the service’s own servers', async () => {
  const file = join(parent, 'recorder.mjs')
  const recorded = join(parent, 'recorded')
  await writeFile(file, recorder)
  await mkdir(join(parent, '.aws'))
  await writeFile(join(parent, '.aws/config'), '[default]\nuse_fips_endpoint = true\n[profile work]\n')
  const elsewhere = 'http://127.0.0.1:9'
  const env = {
    AWS_PROFILE: 'work',
    HOME: parent,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    AWS_ENDPOINT_URL: elsewhere,
    AWS_ENDPOINT_URL_SSM: elsewhere,
    AWS_SESSION_TOKEN: 'of the engineer',
    NODE_USE_ENV_PROXY: '1',
    http_proxy: elsewhere,
    HTTPS_PROXY: elsewhere,
    NO_PROXY: 'registry.example',
    PUBLIC_BASE_URL: 'https://prices.example',
    RECORDED: recorded,
    NODE_OPTIONS: `--import=${file}`,
  }
  const service = commands.start(process.execPath, ['local/start.ts', '--port', '0'], { cwd: copy, env })
  const printed = await service.until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\S+\/v1(?=\/)/.exec(printed) ?? []
  expect(await (await fetch(`${baseUrl}/price/CRWD`)).json()).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  // The command sends one request, to which the server itself responds.
  const smoke = commands.start(process.execPath, ['checks/service/smoke.ts', `${baseUrl}/none`], { cwd: copy, env })
  const complained = expect.stringMatching(
    / GET \/openapi\.json: 404 "Unknown route"\. Use the output BaseUrl of a stack\.\n$/,
  )
  expect(await smoke.ended).toMatchObject({ code: 1, complained })
  service.child.kill('SIGINT')
  expect(await service.ended).toMatchObject({ code: 0, complained: '' })
  const connections = (await readFile(recorded, 'utf8')).trim().split('\n')
  expect(connections.length).toBeGreaterThan(3)
  expect(connections.filter(to => !/^127\.0\.0\.1:(?!9$)/.test(to))).toEqual([])
})

test('a page that is missing ends the start with its own error', async () => {
  const page = join(copy, 'pages/board/page.html')
  await rename(page, join(parent, 'page.html'))
  const start = commands.start(process.execPath, ['local/start.ts', '--port', '0'], { cwd: copy })
  const { complained, ...rest } = await start.ended
  expect(rest).toEqual({ code: 1, printed: 'Starting…\n\n' })
  expect(complained).toContain(`ENOENT: no such file or directory, open '${page}'`)
  expect(complained).not.toContain('Choose another')
  await rename(join(parent, 'page.html'), page)
})

/** Runs the check of the installation as an npm does that runs on the given version of Node. */
const checkWith = (npmNode: string) =>
  commands.start(process.execPath, ['local/check-installation.js'], {
    cwd: copy,
    env: { npm_config_user_agent: `npm/10.8.2 node/v${npmNode} linux x64 workspaces/false` },
  }).ended

test('an installation without the packages for musl is complete, also after an npm that removed libc', async () => {
  const lockfile = join(copy, 'package-lock.json')
  const text = await readFile(lockfile, 'utf8')
  await writeFile(lockfile, text.replaceAll(/"libc": \[[^\]]*\],\s*/g, ''))
  expect(await readFile(lockfile, 'utf8')).not.toContain('"libc"')
  expect(await checkWith('20.0.0')).toEqual({ code: 0, printed: '', complained: '' })
  await writeFile(lockfile, text)
})

test('an npm on Node 18 is named before what it skipped', async () => {
  const anvil = join(copy, 'node_modules/@foundry-rs')
  await rename(anvil, join(parent, 'foundry'))
  expect(await checkWith('18.20.8')).toEqual({
    code: 1,
    printed: '',
    complained:
      'npm runs on Node 18.20.8, and skips packages that need Node 20. ' +
      'Install Node 24, then: npm ci --include=dev --include=optional\n',
  })
  await rename(join(parent, 'foundry'), anvil)
})

test('an installation with bin-links=false has a remedy that sets it', async () => {
  const links = join(copy, 'node_modules/.bin')
  await rename(links, join(parent, 'bin'))
  expect(await checkWith('24.0.0')).toEqual({
    code: 1,
    printed: '',
    complained:
      'npm has linked no commands, as with bin-links=false. ' +
      'Set bin-links=true where it is false (.npmrc, npm_config_bin_links), then: npm ci --include=dev --include=optional\n',
  })
  await rename(join(parent, 'bin'), links)
})

const tests = ['test', 'test:system', 'test:browser', 'test:clients']
const checked = ['start', 'watch', 'invoke', 'smoke', 'check-rpc', 'check', ...tests]

test('with another Node than the installed one, or an incomplete installation, each command prints the one that completes it', async () => {
  const runAll = () =>
    Promise.all(checked.map(script => commands.start('npm', ['run', '--silent', script], { cwd: copy }).ended))
  const expectAll = async (complained: string) =>
    expect(await runAll()).toEqual(checked.map(() => ({ code: 1, printed: '', complained })))
  const install = 'Install it: npm ci --include=dev --include=optional\n'

  const lockfile = join(copy, 'package-lock.json')
  const text = await readFile(lockfile, 'utf8')
  await writeFile(lockfile, text.replace(/(?<="node_modules\/node": \{\s+"version": ")[^"]+/, '99.1.2'))
  await expectAll(`node_modules/node 99.1.2 is missing. ${install}`)

  const node = join(copy, 'node_modules/node')
  await rename(node, join(parent, 'node'))
  await mkdir(node)
  await writeFile(join(node, 'package.json'), '{ "version": "99.1.2" }')
  // Without an obstacle, the commands would run, and `npm start` would not end.
  expect(await checkWith('24.0.0')).toMatchObject({ code: 1 })
  await expectAll(
    `This is Node ${process.versions.node}, and Node 99 is needed (.node-version). ` +
      'Install it, then npm ci --ignore-scripts. Or let npm download it: npm rebuild node --ignore-scripts=false\n',
  )

  await rm(join(copy, 'node_modules/.package-lock.json'))
  await expectAll(`node_modules is incomplete. ${install}`)

  const zod = join(copy, 'node_modules/zod')
  await rm(zod)
  await mkdir(zod)
  await expectAll(`node_modules/zod ${repository.devDependencies.zod} is missing. ${install}`)
})
