import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import getPriceEvent from '../../local/events/get-price-crwd.json' with { type: 'json' }
import { type Service, startService } from '../../local/service.ts'
import { forward, startFaultyNode } from '../support/chain/faulty-node.ts'
import { type Prod, synthesiseProd } from '../support/lambda/prod.ts'

// The functions' process gets a resolver that never replies. That needs Linux, and root's right to mount, which many
// containers lack. The port is always 53, so each run has its own address.
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (!canMount)
  process.stderr.write('\n*** NOT RUN: names that hang: without unshare, or without the right to mount ***\n\n')
const nameserver = `127.53.${(process.pid >> 8) & 255}.${process.pid & 255}`
const deadNames = ['https://dead-one.example/KEY', 'https://dead-two.example/KEY'] as const

const stack = new AsyncDisposableStack()
let service: Service
let prod: Prod

/** A URL whose host is looked up. */
const toNamed = (url: string) => url.replace('127.0.0.1', 'localhost')

/** Starts GetPrice above these RPC URLs of the mainnet. Returns a function that requests a price for its status. */
async function startGetPrice(rpcUrls: readonly string[]) {
  prod.setRpcUrls('mainnet', rpcUrls.map(toNamed))
  const mount = `mount --bind ${join(prod.folder, 'resolv.conf')} /etc/resolv.conf && exec "$0" "$@"`
  const parameterStore = toNamed(service.parameterStore.variables.AWS_ENDPOINT_URL_SSM)
  const getPrice = await prod.start('GetPrice', {
    env: { AWS_ENDPOINT_URL_SSM: parameterStore },
    prefix: ['unshare', '--mount', 'sh', '-c', mount],
  })
  stack.use(getPrice)
  return async () => ((await getPrice.invoke(getPriceEvent)) as APIGatewayProxyResult).statusCode
}

const healthy = () => service.chains.mainnet?.rpcUrl ?? ''

describe.runIf(canMount)('with a resolver that never replies', () => {
  beforeAll(async () => {
    service = stack.use(await startService(ofEachNetwork(() => 'embedded')))
    prod = stack.use(await synthesiseProd(service))
    await writeFile(join(prod.folder, 'resolv.conf'), `nameserver ${nameserver}\noptions timeout:30 attempts:5\n`)
    const resolver = createSocket('udp4')
    resolver.bind(53, nameserver)
    await once(resolver, 'listening')
    stack.defer(() => void resolver.close())
  })
  afterAll(() => stack.disposeAsync())

  test('behind two names that hang, a healthy endpoint serves every request (D24)', async () => {
    const getPrice = await startGetPrice([...deadNames, healthy()])
    const statuses = []
    for (let request = 0; request < 6; request += 1) statuses.push(await getPrice())
    expect(statuses).toEqual(Array(6).fill(200))
  })

  test('an endpoint that was down serves again beside a name that hangs', async () => {
    let isDown = false
    await using node = await startFaultyNode(async (response, body) =>
      isDown ? response.socket?.destroy() : response.end(await forward(healthy(), body)),
    )
    const getPrice = await startGetPrice([deadNames[0], node.url.href])
    expect(await getPrice()).toBe(200)
    isDown = true
    expect([await getPrice(), await getPrice(), await getPrice()]).toEqual([503, 503, 503])
    isDown = false
    expect(await getPrice()).toBe(200)
  })
})
