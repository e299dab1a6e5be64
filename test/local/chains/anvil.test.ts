import { expect, test, vi } from 'vitest'
import { startAnvil } from '../../../local/chains/anvil.ts'
import { StartFailure } from '../../../local/run-command.ts'
import { createCommands } from '../../support/local/command.ts'

test('no node outlives the process that started it, not even one that is killed', async () => {
  const commands = createCommands()
  const args = ['--input-type=module-typescript', '--eval', starterScript]
  const { child, until } = commands.start(process.execPath, args)
  const pid = Number(await until('\n'))
  const pids = commands.family(pid)
  // The two processes are anvil and its watcher.
  expect(pids).toHaveLength(2)
  child.kill('SIGKILL')
  await commands.expectNothingLeft(pids)
})

const without = 'Without anvil, use --live, or a URL for each network: --rpc-mainnet, --rpc-testnet.'

test('a node that ends at once is a failure with its output and the remedy', async () => {
  const failure = await startAnvil(['--no-such-option']).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartFailure)
  const problem = 'Anvil ended before it was ready. On Linux, it needs glibc 2.35 or later.'
  const output = "Its output: error: unexpected argument '--no-such-option' found"
  expect(failure).toMatchObject({ message: expect.stringContaining(`${problem} ${without} ${output}`) })
})

test('a platform without anvil is a failure with the remedy', async () => {
  vi.stubGlobal('process', { ...process, platform: 'plan9', arch: 'x64' })
  const failure = await startAnvil([]).catch((error: unknown) => error)
  vi.unstubAllGlobals()
  expect(failure).toEqual(
    new StartFailure(
      '@foundry-rs/anvil-plan9-amd64 is not installed. It needs Linux or macOS, and npm ci --include=optional. ' +
        without,
    ),
  )
})

/** Starts a chain, and prints the process id of its node. */
const starterScript = `
  import { startChain, toChainKind } from './local/chains/chains.ts'
  const { pid } = await startChain({ ...toChainKind('testnet'), feeds: [] })
  console.log(pid)
`
