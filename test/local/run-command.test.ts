import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('a second signal ends the process, unless npm forwards the first one within a second', () => {
  const program = `
    import { runCommand } from './local/run-command.ts'
    await runCommand(async signal => {
      for (const ms of [0, 1_000, 1_001]) {
        console.log(ms, signal.aborted)
        performance.now = () => ms
        process.emit('SIGINT')
      }
      console.log('not ended')
    })`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '0 false\n1000 true\n1001 true\n', stderr: '' })
})

test('an interrupted command ends its process, even if something else is left', () => {
  const program = `
    import { once } from 'node:events'
    import { setImmediate } from 'node:timers/promises'
    import { runCommand } from './local/run-command.ts'
    void (async () => {
      for (let turns = 0; turns < 1_000; turns += 1) await setImmediate()
      process.exit(3)
    })()
    await runCommand(async signal => {
      process.kill(process.pid, 'SIGINT')
      await once(signal, 'abort')
    })`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('a closed output interrupts, without any signal', async () => {
  const program = `
    import { setInterval } from 'node:timers/promises'
    import { runCommand } from './local/run-command.ts'
    await runCommand(async signal => {
      for await (const _ of setInterval(10, undefined, { signal })) console.log('running')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  child.stderr.destroy()
  const [code, signal] = await once(child, 'exit')
  expect({ code, signal }).toEqual({ code: 0, signal: null })
})
