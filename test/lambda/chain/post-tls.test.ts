import { once } from 'node:events'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import tls, { getCACertificates, type SecureVersion, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterEach, expect, test, vi } from 'vitest'
import { post } from '../../../lambda/chain/post.ts'
import { Fault } from '../../../lambda/faults.ts'
import { type Respond, startFaultyNode, status } from '../../support/chain/faulty-node.ts'

const trusted = getCACertificates('default')
afterEach(() => {
  setDefaultCACertificates(trusted)
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const send = (url: URL) => post(url, '{"request":0}', new AbortController().signal)

/** Starts a node with a new self-signed certificate for an address. */
async function startTlsNode({
  ip = '127.0.0.1',
  respond = status(200, 'yes'),
  version,
}: {
  ip?: string
  respond?: Respond
  version?: SecureVersion
} = {}) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'node.test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip }] }],
  })
  const paths: (string | undefined)[] = []
  const node = await startFaultyNode(
    (response, body) => {
      paths.push(response.req.url)
      return respond(response, body)
    },
    { cert, key, ...(version && { minVersion: version, maxVersion: version }) },
  )
  return { ...node, certificate: cert, paths }
}

test('a TLS connection is used again, so that only the first request makes a handshake', async () => {
  await using node = await startTlsNode()
  setDefaultCACertificates([node.certificate])
  expect([await send(node.url), await send(node.url), await send(node.url)]).toEqual(['yes', 'yes', 'yes'])
  expect(node.countOpened()).toBe(1)
  expect(node.paths).toEqual(Array(3).fill(node.url.pathname))
})

test('no TLS session is resumed, which some servers refuse', async () => {
  const resumed: boolean[] = []
  const respond: Respond = response => {
    resumed.push((response.socket as TLSSocket).isSessionReused())
    response.writeHead(200, { Connection: 'close' }).end('yes')
  }
  await using node = await startTlsNode({ respond })
  setDefaultCACertificates([node.certificate])
  for (let reads = 0; reads < 2; reads += 1) await send(node.url)
  expect(resumed).toEqual([false, false])
  // The node would resume the session of an agent that caches it.
  const agent = new https.Agent()
  for (let requests = 0; requests < 2; requests += 1) {
    const [response] = await once(https.get(node.url, { agent }), 'response')
    await text(response)
  }
  expect(resumed).toEqual([false, false, false, true])
})

test('a node with another host’s certificate does not receive the key (D25)', async () => {
  await using node = await startTlsNode({ ip: '127.0.0.2' })
  setDefaultCACertificates([node.certificate])
  await expect(send(node.url)).rejects.toEqual(new Fault('unreachable'))
  expect(node.countOpened()).toBe(1)
  expect(node.paths).toEqual([])
})

test('a shell that turns off the check of certificates does not send the key to an untrusted node (D25)', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  vi.spyOn(process, 'emitWarning').mockReturnValue()
  await using node = await startTlsNode()
  await expect(send(node.url)).rejects.toEqual(new Fault('unreachable'))
  expect(node.paths).toEqual([])
  // Another request of this process is sent, by the variable.
  await once(https.get(node.url), 'response')
  expect(node.paths).toEqual([node.url.pathname])
})

test.each([
  ['--tls-min-v1.3', 'DEFAULT_MIN_VERSION', 'TLSv1.3', 'TLSv1.2'],
  ['--tls-max-v1.2', 'DEFAULT_MAX_VERSION', 'TLSv1.2', 'TLSv1.3'],
] as const)('a shell with NODE_OPTIONS=%s changes no version of TLS (D24)', async (_, option, shell, version) => {
  await using node = await startTlsNode({ version })
  setDefaultCACertificates([node.certificate])
  const before = tls[option]
  tls[option] = shell
  try {
    expect(await send(node.url)).toBe('yes')
    // Another request of this process is refused, by the option.
    await expect(once(https.get(node.url), 'response')).rejects.toMatchObject({
      code: expect.stringMatching(/PROTO|ALERT/),
    })
  } finally {
    tls[option] = before
  }
})

test('a shell with NODE_OPTIONS=--tls-min-v1.0 and weak ciphers permits no old version of TLS (D24)', async () => {
  const before = [tls.DEFAULT_MIN_VERSION, tls.DEFAULT_CIPHERS] as const
  tls.DEFAULT_MIN_VERSION = 'TLSv1'
  tls.DEFAULT_CIPHERS = 'DEFAULT@SECLEVEL=0'
  try {
    await using node = await startTlsNode({ version: 'TLSv1.1' })
    setDefaultCACertificates([node.certificate])
    await expect(send(node.url)).rejects.toEqual(new Fault('unreachable'))
    expect(node.paths).toEqual([])
    // Another request of this process is sent, by the options.
    await once(https.get(node.url), 'response')
    expect(node.paths).toEqual([node.url.pathname])
  } finally {
    ;[tls.DEFAULT_MIN_VERSION, tls.DEFAULT_CIPHERS] = before
  }
})

test('a request to an https URL is never sent unencrypted', async () => {
  await using node = await startFaultyNode(status(200, 'yes'))
  await expect(send(new URL(`https://${node.url.host}/KEY`))).rejects.toEqual(new Fault('unreachable'))
  expect(node.countOpened()).toBe(1)
  expect(node.requests).toEqual([])
})
