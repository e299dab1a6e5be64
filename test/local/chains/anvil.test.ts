import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { startAnvil } from '../../../local/chains/anvil.ts'
import { StartFailure } from '../../../local/run-command.ts'
import { listProcesses } from '../../support/local/processes.ts'

test('no node outlives the process that started it, not even one that is killed', async () => {
  const starter = spawn(process.execPath, ['--input-type=module-typescript', '--eval', starterScript], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(starter.stdout.setEncoding('utf8'), 'data')
  const pid = Number(printed)
  expect(isRunning(pid)).toBe(true)
  starter.kill('SIGKILL')
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

/** Starts a chain, and prints the process id of its node. */
const starterScript = `
  import { startChain, toChainKind } from './local/chains/chains.ts'
  const { pid } = await startChain({ ...toChainKind('testnet'), feeds: [] })
  console.log(pid)
`

function isRunning(pid: number): boolean {
  return listProcesses().some(candidate => candidate.pid === pid)
}
