import { setTimeout as sleep } from 'node:timers/promises'
import { networks } from '../../lambda/feeds/registry.ts'
import { createFunctions } from '../../local/functions.ts'
import { startGateway } from '../../local/gateway.ts'
import { startWorld } from '../../local/world.ts'
import { toPatient } from '../fuzz/patient-template.ts'
import { startKnownFeeds } from './known-feeds.ts'
import { startMortalProxy } from './mortal-proxy.ts'
import { createQuestions, type Question } from './questions.ts'

/** How many requests are measured; half as many before them make the containers warm. */
const requests = Number(process.env['LOAD_REQUESTS'] ?? 6_000)
const callers = 8
/** Little, so that a function that keeps what it need not keep dies of it. */
const memoryMb = 64
/** Short, so that most requests are reads. */
const cacheTtlMs = 200
/** A read may take 3.5 s (D24), and the cache keeps what it found. */
const maxAgeMs = 3_500 + cacheTtlMs
/** The last third of a run may take so much more memory than the first, in the median. */
const maxGrowth = 1.15

await using world = await startWorld({ mainnet: 'embedded', testnet: 'embedded' })
await using started = new AsyncDisposableStack()
const rpcUrls = { mainnet: world.chains.mainnet?.rpcUrl ?? '', testnet: world.chains.testnet?.rpcUrl ?? '' }
const names = { mainnet: '/price-lookup/dev/rpc-urls/mainnet', testnet: '/price-lookup/dev/rpc-urls/testnet' }
const endpoints = {
  mainnet: [await startMortalProxy(rpcUrls.mainnet), await startMortalProxy(rpcUrls.mainnet)],
  testnet: [await startMortalProxy(rpcUrls.testnet), await startMortalProxy(rpcUrls.testnet)],
}
const known = {
  mainnet: await startKnownFeeds('mainnet', rpcUrls.mainnet),
  testnet: await startKnownFeeds('testnet', rpcUrls.testnet),
}
for (const network of networks) world.parameters.set(names[network], endpoints[network].map(({ url }) => url).join(' '))
for (const endpoint of Object.values(endpoints).flat()) started.defer(endpoint.die)

const counts = new Map<string, number>()
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
const broken: string[] = []
const functions = createFunctions({
  functions: new Map([...world.template.functions].map(([id, fn]) => [id, { ...fn, memoryMb }])),
  variables: { AWS_ENDPOINT_URL_SSM: world.parameterStore.url },
  log: ({ level, text }) => (level === 'error' ? broken.push(`A function logged: ${text}`) : undefined),
})
started.defer(functions.stop)
const template = toPatient(world.template, cacheTtlMs)
const { baseUrl, stop } = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
started.defer(stop)

async function ask({ path, network, symbol, status }: Question): Promise<number> {
  const began = performance.now()
  const response = await fetch(baseUrl + path)
  const body = await response.text()
  const tookMs = performance.now() - began
  count(`status ${response.status}`)
  count(`cache ${response.headers.get('x-local-cache')}`)
  if (response.status !== status) broken.push(`GET ${path} is ${response.status}: ${body}`)
  if (response.status === 200) {
    if (!known[network].isTrue(body, symbol, baseUrl)) broken.push(`GET ${path} says what no feed said: ${body}`)
    if (Date.now() - Date.parse(JSON.parse(body).readAt) > maxAgeMs) broken.push(`GET ${path} is too old`)
  }
  return tookMs
}

/** Runs so many questions, several at once; tells how far it is after each. */
async function run(wanted: number, onAnswer: (answered: number, tookMs: number) => void): Promise<void> {
  const next = createQuestions()
  let asked = 0
  let answered = 0
  const call = async (): Promise<void> => {
    while (asked < wanted) {
      asked += 1
      const tookMs = await ask(next())
      answered += 1
      onAnswer(answered, tookMs)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
}

async function flipUntil(over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await Promise.all(networks.map(network => known[network].flip()))
    await sleep(100)
  }
}

const over = new AbortController()
const flipped = flipUntil(over.signal)
await run(requests / 2, () => {})
counts.clear()

const thirds = ['both endpoints', 'first endpoint dead', 'first endpoint back'].map(name => ({
  name,
  rssMb: [] as number[],
  tookMs: [] as number[],
  requests: networks.map(network => endpoints[network].map(() => 0)),
}))
const tally = () => networks.map(network => endpoints[network].map(endpoint => endpoint.requests()))
let before = tally()
const close = (third: number): void => {
  const now = tally()
  const row = thirds[third]
  if (row)
    row.requests = now.map((pair, network) => pair.map((total, place) => total - (before[network]?.[place] ?? 0)))
  before = now
}
const began = performance.now()
await run(requests, (answered, tookMs) => {
  const third = thirds[Math.min(2, Math.floor((3 * answered) / requests))]
  third?.tookMs.push(tookMs)
  if (answered % 50 === 0) third?.rssMb.push(process.memoryUsage.rss() / 2 ** 20)
  if (answered === Math.floor(requests / 3)) {
    close(0)
    for (const network of networks) endpoints[network][0]?.die().catch(error => broken.push(String(error)))
  }
  if (answered === Math.floor((2 * requests) / 3)) {
    close(1)
    for (const network of networks) endpoints[network][0]?.comeBack().catch(error => broken.push(String(error)))
  }
})
close(2)
const tookMs = performance.now() - began
over.abort()
await flipped

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
const [first = 0, , last = 0] = thirds.map(({ rssMb }) => quantile(rssMb, 0.5))
if (last > maxGrowth * first) broken.push(`Memory grew from ${Math.round(first)} to ${Math.round(last)} MB.`)
console.log(`${requests} requests by ${callers} callers in ${(tookMs / 1_000).toFixed(1)} s`)
console.table(Object.fromEntries([...counts].toSorted()))
console.table(
  thirds.map(third => ({
    third: third.name,
    'median ms': quantile(third.tookMs, 0.5).toFixed(1),
    '99 % ms': quantile(third.tookMs, 0.99).toFixed(1),
    'longest ms': quantile(third.tookMs, 1).toFixed(1),
    'RSS MB': Math.round(quantile(third.rssMb, 0.5)),
    'mainnet rpc-1, rpc-2': third.requests[0]?.join(', '),
    'testnet rpc-1, rpc-2': third.requests[1]?.join(', '),
  })),
)
console.log(
  broken.length === 0 ? 'No promise broken.' : `${broken.length} promises broken:\n${broken.slice(0, 10).join('\n')}`,
)
process.exitCode = broken.length === 0 ? 0 : 1
