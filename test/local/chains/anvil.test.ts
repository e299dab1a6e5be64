import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { startAnvil } from '../../../local/chains/anvil.ts'
import { StartFailure } from '../../../local/run-command.ts'
import { listProcesses } from '../../support/local/processes.ts'

test.each(['is killed', 'exits'])('no node outlives the process that started it, when that %s', async end => {
  const starter = spawn(process.execPath, ['--input-type=module-typescript', '--eval', starterScript], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [printed] = await once(starter.stdout.setEncoding('utf8'), 'data')
  const pid = Number(printed)
  expect(isRunning(pid)).toBe(true)
  if (end === 'exits') starter.stdin.end()
  else starter.kill('SIGKILL')
  await once(starter, 'exit')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('a node that ends at once is a failure with its output', async () => {
  const failure = await startAnvil(['--no-such-option']).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartFailure)
  expect(failure).toMatchObject({ message: expect.stringContaining("unexpected argument '--no-such-option'") })
})

test('a platform without anvil is a failure with the remedy', async () => {
  vi.stubGlobal('process', { ...process, platform: 'plan9', arch: 'x64' })
  const failure = await startAnvil([]).catch((error: unknown) => error)
  vi.unstubAllGlobals()
  expect(failure).toEqual(
    new StartFailure(
      '@foundry-rs/anvil-plan9-amd64 is not installed. It needs Linux or macOS, and npm ci --include=optional.',
    ),
  )
})

/** Starts a chain, prints the process id of its node, and exits at the end of its input. */
const starterScript = `
  import { startChain, toChainKind } from './local/chains/chains.ts'
  const { pid } = await startChain({ ...toChainKind('testnet'), feeds: [] })
  console.log(pid)
  process.stdin.resume().on('end', () => process.exit())
`

function isRunning(pid: number): boolean {
  return listProcesses().some(candidate => candidate.pid === pid)
}
