import { type Answer, formatOutcome, isSameRead, readAtMsOf } from './answer.ts'
import type { Client } from './client.ts'
import { networks } from './contract.ts'
import type { Probe } from './probe.ts'
import { networkOf } from './promises/cache.ts'
import type { Observation } from './report.ts'

/** Asks what the stage's cache makes of requests that are not quite the same. Each has spellings of its own. */
export async function askCache(client: Client, probe: Probe): Promise<readonly Observation[]> {
  const [, repeated, emptyFirst, emptyLast, slash] = probe.spellings
  return [
    await askRepeated(client, probe, repeated),
    await askEmpty(client, emptyFirst, emptyLast),
    await askSlash(client, probe, slash),
  ]
}

const noSpelling = 'not asked: no symbol has letters enough to write it in ways that nobody else uses.'

async function askRepeated(client: Client, probe: Probe, spelling: string | undefined): Promise<Observation> {
  const question = 'Which of repeated "network" values answers, and which does the cache key on?'
  if (!probe.isShared) return { question, answer: 'not asked: no symbol is on both networks.' }
  if (spelling === undefined) return { question, answer: noSpelling }
  const queries = [
    'network=mainnet&network=testnet',
    'network=testnet&network=mainnet',
    'network=mainnet',
    'network=testnet',
  ]
  const answers: Answer[] = []
  for (const query of queries) answers.push(await client.ask(`/price/${spelling}?${query}`))
  return { question, answer: concludeRepeated(answers) }
}

/** Concludes from the answers to both orders, then to each single value. */
export function concludeRepeated(answers: readonly Answer[]): string {
  const answered = answers.slice(0, 2).map(answer => `${queryOf(answer)} is answered by ${nameOf(answer)}`)
  const replays = answers.flatMap((later, index) =>
    answers
      .slice(0, index)
      .filter(earlier => isSameRead(earlier, later))
      .map(earlier => `${queryOf(later)} was given the answer of ${queryOf(earlier)}`),
  )
  const wrong = answers.slice(2).filter(answer => answer.status === 200 && nameOf(answer) !== queryOf(answer).slice(8))
  return [
    `${answered.join('; ')}.`,
    replays.length === 0 ? 'None was given the answer of another.' : `${replays.join('; ')}.`,
    ...wrong.map(answer => `A CALLER CAN PLANT A WRONG NETWORK: ${queryOf(answer)} was ${nameOf(answer)}.`),
  ].join(' ')
}

async function askEmpty(client: Client, first: string | undefined, last: string | undefined): Promise<Observation> {
  const question = 'Does an empty "?network=" share a cache entry with no query at all?'
  if (first === undefined || last === undefined) return { question, answer: noSpelling }
  const answers: Answer[] = []
  for (const path of [`${first}?network=`, first, last, `${last}?network=`]) {
    answers.push(await client.ask(`/price/${path}`))
  }
  return {
    question,
    answer: concludeEmpty(
      answers.map(formatOutcome),
      answers.map(({ status }) => status),
    ),
  }
}

/** Concludes from what came for: empty, then none; none, then empty. */
export function concludeEmpty(outcomes: readonly string[], statuses: readonly number[]): string {
  const [empty, noneAfter, none, emptyAfter] = outcomes
  const seen = `Empty ${empty}, then none ${noneAfter}; none ${none}, then empty ${emptyAfter}.`
  if (statuses.join() === '400,200,200,400') return `No. ${seen}`
  if (statuses[1] === 400) return `Yes, and A CALLER CAN PLANT THE 400. ${seen}`
  return `${statuses[3] === 200 && statuses[0] === 400 ? 'Yes' : 'Not clear'}. ${seen}`
}

async function askSlash(client: Client, probe: Probe, spelling: string | undefined): Promise<Observation> {
  const question = 'Does a trailing slash share the cache entry?'
  const seen: string[] = []
  for (const path of ['/price', ...(spelling === undefined ? [] : [`/price/${spelling}`])]) {
    seen.push(`${path}/ after ${path}: ${await compareSlash(client, path, probe.network.query)}`)
  }
  return { question, answer: `${seen.join('; ')}.` }
}

async function compareSlash(client: Client, path: string, query: string): Promise<string> {
  let slashed: Answer | undefined
  // Twice, because an entry may end between the two requests.
  for (let tries = 0; tries < 2; tries += 1) {
    const plain = await client.ask(`${path}${query}`)
    slashed = await client.ask(`${path}/${query}`)
    if (isSameRead(plain, slashed)) return 'the same read, so yes'
  }
  return slashed !== undefined && readAtMsOf(slashed) === undefined ? formatOutcome(slashed) : 'another read, so no'
}

function queryOf({ path }: Answer): string {
  return path.slice(path.indexOf('?') + 1)
}

/** Names the network that an answer is of. */
function nameOf(answer: Answer): string {
  const network = networkOf(answer)
  return networks.find(({ chainId }) => chainId === network)?.slug ?? network
}
