import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type PriceRoute, priceRoutes } from '../api/routes.ts'
import { parseOptions, sourcesHelp, variablesHelp } from './command-line.ts'
import { runCommand, StartFailure } from './run-command.ts'
import { startService } from './service.ts'

const command = 'npm run invoke --'

const help = `${command} [options] local/events/EVENT.json

Invokes the handler of the event's route once, and prints its response to API
Gateway. Without options, each network is a local chain with invented prices.

${sourcesHelp}
  --help              print this help

${variablesHelp}`

const example = 'such as local/events/get-price-crwd.json.'

/** An event of API Gateway, with what its route is found by. */
const proxyEvent = z.looseObject({ resource: z.string().default(''), httpMethod: z.string().default('') })

const methods = ['GET', 'HEAD']

const startOptions = ['--host', '--port', '--log']

await runCommand(async interrupted => {
  const args = process.argv.slice(2)
  const { help: wanted, sources, rest } = parseOptions(command, args, process.env)
  if (wanted) return console.log(help)
  const refused = startOptions.find(option => args.some(arg => arg.split('=')[0] === option))
  if (refused !== undefined)
    throw new StartFailure(`${refused} is an option of npm start alone. ${command} --help lists those of this command.`)
  const [path, ...more] = rest
  if (path === undefined || more.length > 0) throw new StartFailure(`Name one event, ${example}`)
  const event = await readEvent(path)
  const route = findRoute(event)
  await using service = await startService(sources)
  const response = await service.invoke(route, event)
  if (!interrupted.aborted) console.log(JSON.stringify(response, null, 2))
})

async function readEvent(path: string): Promise<z.output<typeof proxyEvent>> {
  try {
    return proxyEvent.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    throw new StartFailure(`This file is missing, or no event of API Gateway. Name an event, ${example}`)
  }
}

function findRoute({ resource, httpMethod }: z.output<typeof proxyEvent>): PriceRoute {
  const route = priceRoutes.find(({ path }) => path === resource)
  if (route !== undefined && methods.includes(httpMethod)) return route
  const known = priceRoutes.flatMap(({ path }) => methods.map(method => `${method} ${path}`)).join(', ')
  throw new StartFailure(`No function has the event's "httpMethod" and "resource". Known: ${known}.`)
}
