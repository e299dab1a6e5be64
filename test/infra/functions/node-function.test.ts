import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { writeBundle } from '../../../infra/functions/node-function.ts'
import { toVariables } from '../../../lambda/settings.ts'
import { localSettings } from '../../../local/settings.ts'
import { correct } from '../../support/chain/correct-node.ts'
import { startFaultyNode } from '../../support/chain/faulty-node.ts'

const folder = await mkdtemp(join(tmpdir(), 'price-lookup-bundles-'))
afterAll(() => rm(folder, { recursive: true }))

/** Writes the bundle of a function into a folder of its own, and returns the file. */
function bundle(entry: string): string {
  const file = join(folder, basename(entry, '.ts'), 'index.js')
  writeBundle(entry, file)
  return file
}

/** A few per cent above the present sizes, in bytes. */
const maxBytes = { minified: 300_000, gzip: 92_000 }

/** Providers of credentials that no function has, dynamic imports, and the exports of an ES module, which loads more. */
const notInBundle = /AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url|\bimport\(|\bexport\{/

test.each(['lambda/handlers/get-price.ts', 'lambda/handlers/list-prices.ts'])(
  'the bundle of %s stays small, takes credentials from the environment only, and has no dynamic import',
  async entry => {
    const code = await readFile(bundle(entry))
    expect(code.length).toBeLessThan(maxBytes.minified)
    expect(gzipSync(code).length).toBeLessThan(maxBytes.gzip)
    expect(code.toString()).toContain('AWS_SESSION_TOKEN')
    expect(code.toString()).not.toMatch(notInBundle)
  },
)

test.each(['smoke/probe.ts', 'smoke/before-allow-traffic.ts'])(
  '%s, which the local run does not have, is bundled and loads',
  async entry => {
    const file = bundle(entry)
    expect(createRequire(file)(file)).toMatchObject({ handler: expect.any(Function) })
    expect(await readFile(file, 'utf8')).not.toMatch(notInBundle)
  },
)

test('a bundle runs as in Lambda: required, in a folder of its own, with the variables of its role', async () => {
  const requests: IncomingHttpHeaders[] = []
  await using node = await startFaultyNode(correct)
  await using store = await startFaultyNode(response => {
    requests.push(response.req.headers)
    response.end(JSON.stringify({ Parameters: [{ Name: 'mainnet', Value: node.url.href }] }))
  })
  const cwd = dirname(bundle('lambda/handlers/get-price.ts'))
  const requestContext = { domainName: 'prices.example', stage: 'v1' }
  const event = JSON.stringify({ pathParameters: { symbol: 'CRWD' }, queryStringParameters: null, requestContext })
  const invocation = `require('./index.js').handler(${event}, { getRemainingTimeInMillis: () => 9000 })`
  // The time limits of the read would end it on a busy machine.
  const withoutLimits = 'setTimeout = () => ({ unref() {} })'
  const program = `${withoutLimits}; ${invocation}.then(({ body }) => console.log(body))`
  const env = {
    // A user without an entry in the password file has no other.
    HOME: cwd,
    AWS_REGION: 'eu-west-3',
    AWS_ACCESS_KEY_ID: 'AKIDTEST',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_SESSION_TOKEN: 'session-of-the-role',
    AWS_ENDPOINT_URL_SSM: store.url.origin,
    ...toVariables(localSettings),
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd, env })
  expect(stdout).toMatch(/^\{"symbol":"CRWD",.*"status":"OK",.*\}$/m)
  expect(requests).toEqual([
    expect.objectContaining({
      'x-amz-security-token': env.AWS_SESSION_TOKEN,
      authorization: expect.stringMatching(/Credential=AKIDTEST\/\d{8}\/eu-west-3\/ssm\/aws4_request/),
    }),
  ])
})
