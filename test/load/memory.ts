import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Functions } from '../../local/runtime.ts'
import { type Deployment, setEndpoints } from './deployment.ts'
import type { Measure } from './measured-function.ts'
import { createQuestions, type Question } from './questions.ts'

/** The containers' measures: one when they were warm, and one after each window of requests. */
export interface Memory {
  readonly points: readonly { readonly path: string; readonly requests: number; readonly measure: Measure }[]
  /** How many connections to endpoints were open at those times. */
  readonly connections: readonly number[]
}

/** How many requests a container gets in a window. */
const windowOf = { '/price/{symbol}': 1_200, '/price': 400 }
/** How many windows make the containers warm, and how many are measured. */
const windows = { warming: 2, measured: 6 }
/** An attempt's own timer holds what it was for until it is over (D24). */
const quietMs = 2_000

type Path = keyof typeof windowOf

/**
 * Measures one container of each function, as deployed, through windows of requests one after another, as Lambda sends them.
 *
 * In every window the first endpoint dies, then the second too, the first comes back, and then the second.
 */
export async function runMemory(deployment: Deployment, complain: (what: string) => void): Promise<Memory> {
  const functions = deployment.createFunctions(({ entry, handlerName, ...fn }) => ({
    ...fn,
    entry: fileURLToPath(new URL('measured-function.ts', import.meta.url)),
    handlerName: 'handler',
    environment: { ...fn.environment, LOAD_ENTRY: entry, LOAD_HANDLER: handlerName },
  }))
  const containers = (['/price/{symbol}', '/price'] as const).map(path => ({
    path,
    ...startCaller(deployment, functions, path, complain),
  }))
  const points: Memory['points'][number][] = []
  const connections: number[] = []
  for (let done = 1 - windows.warming; done <= windows.measured; done += 1) {
    await runWindow(deployment, (share, isDown) =>
      Promise.all(containers.map(({ path, ask }) => ask(share * windowOf[path], isDown))),
    )
    if (done < 0) continue
    await sleep(quietMs)
    connections.push(countConnections(deployment))
    for (const { path, measure } of containers) {
      points.push({ path, requests: done * windowOf[path], measure: await measure() })
    }
  }
  await functions.stop()
  return { points, connections }
}

/** Endpoints die and come back while a container's requests come, a share of them each time. */
async function runWindow(
  deployment: Deployment,
  ask: (share: number, isDown: boolean) => Promise<unknown>,
): Promise<void> {
  await setEndpoints(deployment, 0, 'die')
  await ask(0.25, false)
  await setEndpoints(deployment, 1, 'die')
  await ask(0.25, true)
  await setEndpoints(deployment, 0, 'comeBack')
  await ask(0.25, false)
  await setEndpoints(deployment, 1, 'comeBack')
  await ask(0.25, false)
}

function countConnections({ endpoints }: Deployment): number {
  return Object.values(endpoints)
    .flat()
    .reduce((sum, endpoint) => sum + endpoint.connections(), 0)
}

const plain: object = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))

/** Calls one container of the function behind a path. */
function startCaller(
  { template, known }: Deployment,
  functions: Functions,
  path: Path,
  complain: (what: string) => void,
) {
  const integration = template.routes.find(route => route.resourcePath === path)?.integration
  if (integration?.type !== 'AWS_PROXY') throw new Error(`There is no function behind ${path}`)
  const { functionId } = integration
  const next = createQuestions()
  const nextOfPath = (): Question => {
    for (;;) {
      const question = next()
      if ((question.symbol === undefined) === (path === '/price')) return question
    }
  }
  return {
    /** Asks so many questions, one after another, all of which are 503 when no endpoint is there, unless they are wrong. */
    async ask(wanted: number, isDown: boolean): Promise<void> {
      for (let asked = 0; asked < wanted; asked += 1) {
        const question = nextOfPath()
        const { statusCode, body } = JSON.parse(await functions.invoke(functionId, toEvent(question)))
        const expected = isDown && question.status === 200 ? 503 : question.status
        if (statusCode !== expected) complain(`${question.path} is ${statusCode}: ${body}`)
        else if (statusCode === 200 && !known[question.network].isTrue(body, question.symbol, baseUrl)) {
          complain(`${question.path} says what no feed said: ${body}`)
        }
      }
    },
    measure: async (): Promise<Measure> => JSON.parse(await functions.invoke(functionId, { measure: true })),
  }
}

const baseUrl = 'https://prices.example/v1'

function toEvent({ path, symbol }: Question): object {
  const { pathname, searchParams } = new URL(baseUrl + path)
  return {
    ...plain,
    pathParameters: symbol === undefined ? null : { symbol: pathname.split('/').at(-1) },
    queryStringParameters: searchParams.size === 0 ? null : Object.fromEntries(searchParams),
    requestContext: { domainName: 'prices.example', path: '/v1/price' },
  }
}
