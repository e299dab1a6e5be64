import { type Answer, formatAnswer, hasType } from '../answer.ts'
import type { Client } from '../client.ts'
import { networks, problemFields, problemType } from '../contract.ts'
import { digitsOf, fieldsOf, findFieldFaults, formatJson } from '../json.ts'
import { type Row, toRow } from '../report.ts'

/** Asks for what there is not, and for what a browser asks before it asks. */
export async function checkProblems(client: Client): Promise<readonly Row[]> {
  return await Promise.all([
    checkProblem(client, 'an unknown symbol is 404', 'unknown-symbol', 404, unknownSymbols),
    checkProblem(client, 'an unknown network is 400', 'unknown-network', 400, unknownNetworks),
    checkProblem(client, 'an unknown path is 404', 'unknown-route', 404, unknownPaths),
    checkProblem(client, 'an unknown method is 404', 'unknown-route', 404, unknownMethods),
    checkPreflight(client),
    checkOddPreflight(client),
  ])
}

/** Says where a problem differs from RFC 9457 as the contract has it. */
function findProblemFaults(answer: Answer, slug: string, status: number): readonly string[] {
  if (answer.status !== status) return [`${formatAnswer(answer)} (not ${status})`]
  const problem = fieldsOf(answer.body)
  const faults: string[] = []
  if (!hasType(answer, 'application/problem+json')) {
    faults.push(`its type is ${formatJson(answer.headers.get('content-type'))}`)
  }
  // The answer to HEAD is headers alone.
  if (answer.method !== 'HEAD') {
    faults.push(...findFieldFaults(problem, problemFields))
    if (problem.get('type') !== `${problemType}${slug}`) faults.push(`it is no ${slug}`)
    if (digitsOf(problem.get('status')) !== String(answer.status)) faults.push('its status is not that of its body')
    if (typeof problem.get('detail') !== 'string') faults.push('it has no detail')
  }
  return faults.length === 0 ? [] : [`${formatAnswer(answer)} (${faults.join(', ')})`]
}

/** A method and a path. */
type Target = readonly [method: string, path: string]

const unknownSymbols: readonly Target[] = networks.map(({ query }) => ['GET', `/price/NO-SUCH-SYMBOL${query}`])
// A network that nobody else asks for: were the cache to mix it up, no caller would be told so.
const unknownNetworks: readonly Target[] = ['/price', '/price/SMOKE'].map(path => ['GET', `${path}?network=smoke-test`])
const unknownPaths: readonly Target[] = ['/prices', '/price/SMOKE/more'].map(path => ['GET', path])
const unknownMethods: readonly Target[] = [
  ['POST', '/price'],
  ['DELETE', '/price/SMOKE'],
  ['HEAD', '/price'],
]

async function checkProblem(
  client: Client,
  promise: string,
  slug: string,
  status: number,
  targets: readonly Target[],
): Promise<Row> {
  const answers = await Promise.all(targets.map(([method, path]) => client.ask(path, method)))
  const faults = answers.flatMap(answer => findProblemFaults(answer, slug, status))
  return toRow(promise, faults, `${slug}: ${targets.map(target => target.join(' ')).join(', ')}`)
}

const preflightPaths = ['/price', '/price/SMOKE', '/', '/openapi.json']

async function askPreflights(client: Client, headers: Readonly<Record<string, string>>): Promise<readonly Answer[]> {
  return await Promise.all(preflightPaths.map(path => client.ask(path, 'OPTIONS', headers)))
}

async function checkPreflight(client: Client): Promise<Row> {
  const headers = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }
  const answers = await askPreflights(client, headers)
  const faults = answers.flatMap(answer => {
    const methods = answer.headers.get('access-control-allow-methods') ?? ''
    const allowed = answer.headers.get('access-control-allow-headers')
    if (answer.status === 204 && /(^|[ ,])(GET|\*)($|[ ,])/.test(methods) && allowed === '*') return []
    return [`${formatAnswer(answer)} (methods ${formatJson(methods)}, headers ${formatJson(allowed)})`]
  })
  return toRow('a preflight is 204', faults, `GET, any header: ${preflightPaths.join(', ')}`)
}

/** No browser asks so; but whoever does must not count as a failure of ours. */
async function checkOddPreflight(client: Client): Promise<Row> {
  const answers = await askPreflights(client, { 'Content-Type': 'text/plain' })
  const faults = answers.filter(({ status }) => status !== 204 && status !== 415).map(formatAnswer)
  return toRow('a preflight with a content type is no failure', faults, `text/plain: ${preflightPaths.join(', ')}`)
}
