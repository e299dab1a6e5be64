import { formatOutcome } from './answer.ts'
import { tryCache } from './cache-trial.ts'
import { type Client, createClient } from './client.ts'
import { networks } from './contract.ts'
import { help, NothingAsked, parseOptions } from './options.ts'
import { checkDocuments } from './promises/documents.ts'
import { checkFeeds } from './promises/feeds.ts'
import { checkHeaders } from './promises/headers.ts'
import { checkList, type List, toList } from './promises/list.ts'
import { checkProblems } from './promises/problems.ts'
import { answerArbSys, askFailure, askSignature } from './questions.ts'
import { formatCount, formatReport } from './report.ts'

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof NothingAsked)) throw error
  console.error(error.message)
  return 2
})

async function run(args: readonly string[]): Promise<number> {
  const { help: wanted, baseUrl, caches } = parseOptions(args)
  if (wanted) {
    console.log(help)
    return 0
  }
  const client = createClient(baseUrl)
  const began = performance.now()
  const lists = await askLists(client)
  console.log(`${baseUrl}\n`)
  const cache = await tryCache(client, lists, caches)
  const rows = lists.flatMap(list => checkList(list, baseUrl))
  for (const list of lists) rows.push(...(await checkFeeds(client, list)))
  rows.push(...(await checkProblems(client)), ...(await checkDocuments(client)))
  const observations = [answerArbSys(lists), await askSignature(client), ...(await cache.observations())]
  rows.push(...(await cache.rows()))
  if (caches) observations.push(await askFailure(client))
  rows.push(...checkHeaders(client.answers))
  console.log(formatReport(rows, observations))
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  const throttled = client.answers.filter(({ status }) => status === 429).length
  console.log(`\n${formatCount(rows)}; ${client.answers.length} requests in ${seconds} s, ${throttled} throttled.`)
  return rows.some(({ verdict }) => verdict === 'BROKEN') ? 1 : 0
}

async function askLists(client: Client): Promise<readonly List[]> {
  const lists: List[] = []
  for (const network of networks) {
    const answer = await client.ask(`/price${network.query}`)
    if (lists.length === 0 && answer.status === 0) {
      throw new NothingAsked(`${client.baseUrl} cannot be asked: ${formatOutcome(answer)}.`)
    }
    lists.push(toList(network, answer))
  }
  return lists
}
