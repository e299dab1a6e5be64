import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')

/** Runs `cdk synth` on a program, as `npm run synth` does; gives its exit code and what it says. */
async function synth(app: string, environment?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-audit-'))
  const context = environment === undefined ? [] : ['-c', `environment=${environment}`]
  const args = [cdk, 'synth', '--quiet', '--app', app, ...context, '-o', folder]
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  const ended = await new Promise<{ code: number; said: string }>(resolve => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr })
    })
  })
  rmSync(folder, { recursive: true })
  return ended
}

test.each([...Object.keys(environments), 'account'])(
  '%s has no finding that is not acknowledged',
  async environment => {
    expect(await synth('node infra/app.ts', environment)).toMatchObject({ code: 0 })
  },
)

test('with everything on there is no finding that is not acknowledged either', async () => {
  expect(await synth('node test/infra/everything-on.ts')).toMatchObject({ code: 0 })
})

test('a finding that is not acknowledged fails the synthesis', async () => {
  const { code, said } = await synth('node test/infra/unacknowledged.ts')
  expect(code).not.toBe(0)
  expect(said).toContain('AwsSolutions-SQS4')
})

test.each([undefined, 'production'])(
  'the environment %s is one sentence with the names that there are',
  async environment => {
    const { code, said } = await synth('node infra/app.ts', environment)
    expect(code).not.toBe(0)
    expect(said).toContain(
      'Say which environment with -c environment=NAME: dev, staging, prod; or account, once per account and region.\n',
    )
    expect(said).not.toContain('    at ')
  },
)
