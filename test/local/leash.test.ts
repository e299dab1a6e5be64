import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { findAnvil, startAnvil } from '../../local/anvil.ts'
import { leash } from '../../local/leash.ts'
import { StartFailure } from '../../local/start-failure.ts'

test('a program on the leash is stopped for good', async () => {
  const sleeper = leash('sleep', ['600'])
  expect(isRunning(sleeper.pid)).toBe(true)
  await sleeper.stop()
  expect(isRunning(sleeper.pid)).toBe(false)
  await sleeper.stop()
})

test('all that a program prints can be read, and its end is seen', async () => {
  const program = leash('sh', ['-c', 'echo said; echo complained >&2; exit 3'])
  expect(await text(program.output)).toBe('said\ncomplained\n')
  await program.ended
})

test.each<[string, NodeJS.Signals | 'exit']>([
  ['is killed', 'SIGKILL'],
  ['is told to end', 'SIGTERM'],
  ['is interrupted', 'SIGINT'],
  ['exits by itself', 'exit'],
])(
  'no node is left behind when the process that started it %s',
  async (_, end) => {
    const starter = spawn(process.execPath, ['--input-type=module-typescript', '--eval', starterScript], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [printed] = await once(starter.stdout.setEncoding('utf8'), 'data')
    const pids = String(printed).trim().split(' ').map(Number)
    expect(pids.map(isRunning)).toEqual([true, true])
    if (end === 'exit') starter.stdin.end()
    else starter.kill(end)
    await once(starter, 'exit')
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]), 5_000)
  },
  60_000,
)

test('a node that ends at once says why', async () => {
  const failure = await startAnvil(['--no-such-option']).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartFailure)
  expect(failure).toMatchObject({ message: expect.stringContaining("unexpected argument '--no-such-option'") })
})

test('a platform without a node is told what to do', () => {
  expect(() => findAnvil('plan9', 'x64')).toThrow(
    new StartFailure(
      'The local chains need anvil, and its package @foundry-rs/anvil-plan9-amd64 is not installed. ' +
        'Run `npm ci`, with optional dependencies, on Linux or macOS.',
    ),
  )
})

/** Starts two chains, prints the ids of their nodes, and exits when its input ends. */
const starterScript = `
  import { startChain, chainKinds } from './local/chains.ts'
  const chains = await Promise.all(
    Object.values(chainKinds).map(kind => startChain({ ...kind, feeds: [] })),
  )
  console.log(chains.map(({ pid }) => pid).join(' '))
  process.stdin.resume().on('end', () => process.exit())
`

/** A process that ended and that nobody has asked after (a zombie, on Linux) is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/stat`
  return !existsSync(status) || !readFileSync(status, 'utf8').includes(') Z ')
}
