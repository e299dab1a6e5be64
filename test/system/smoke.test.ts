import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StartedService, startService } from '../support/service.ts'

let service: StartedService

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service[Symbol.asyncDispose]())

/** Runs the command. */
const run = (...args: readonly string[]) => promisify(execFile)(process.execPath, ['smoke/smoke.ts', ...args])

test('no check fails of a stage whose cache ends during the run', async () => {
  const { stdout, stderr } = await run(service.baseUrl)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ {2}passed {2}GET \/price is read again after 10 s +200 \S+, then 200 \S+$/m)
  expect(stdout).toMatch(/^\d+ passed, 0 failed, 0 noted; \d+ requests in [\d.]+ s\.\n$/m)
})

test('a wrong command is exit code 2', async () => {
  await expect(run()).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^One URL is .*\n$/) })
})
