import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { parseOptions, sourcesHelp, variablesHelp } from './command-line.ts'
import { runCommand, StartFailure } from './run-command.ts'
import { startSandbox } from './sandbox.ts'
import type { Template } from './template/template.ts'

const help = `npm run invoke -- [options] local/events/EVENT.json

Invokes the function of the event's route once, as Lambda does, and prints its response to the gateway. Without options, each
network is a local chain with invented prices.

${sourcesHelp}
  --help              print this help

${variablesHelp}`

const example = 'such as local/events/get-price-crwd.json.'

/** An event: its route, and everything else. */
const routedEvent = z.looseObject({ resource: z.string().optional(), httpMethod: z.string().optional() })

/** Options of `npm start` alone. */
const startOptions = ['--host', '--port', '--log']

await runCommand(async () => {
  const args = process.argv.slice(2)
  const { help: wanted, sources, rest } = parseOptions(args)
  if (wanted) return console.log(help)
  const refused = startOptions.find(option => args.some(arg => arg.split('=')[0] === option))
  if (refused !== undefined)
    throw new StartFailure(`${refused} is an option of npm start alone. --help lists those of this command.`)
  const [path, ...more] = rest
  if (path === undefined || more.length > 0) {
    throw new StartFailure(`Name one event, ${example}`)
  }
  const event = await readEvent(path)
  await using sandbox = await startSandbox(sources)
  const result = await sandbox.functions.invoke(findFunction(sandbox.template, event), event)
  console.log(JSON.stringify(JSON.parse(result), null, 2))
})

async function readEvent(path: string): Promise<z.output<typeof routedEvent>> {
  try {
    return routedEvent.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) throw new StartFailure(`This file does not exist. Name an event, ${example}`)
    throw new StartFailure(`This file is not a JSON object. Name an event, ${example}`)
  }
}

function findFunction({ routes }: Template, { resource, httpMethod }: z.output<typeof routedEvent>): string {
  const withFunction = routes.flatMap(({ integration, ...route }) =>
    integration.type === 'AWS_PROXY' ? [{ ...route, functionId: integration.functionId }] : [],
  )
  const route = withFunction.find(
    candidate => candidate.resourcePath === resource && candidate.httpMethod === httpMethod,
  )
  if (route !== undefined) return route.functionId
  const known = withFunction.map(candidate => `${candidate.httpMethod} ${candidate.resourcePath}`).join(', ')
  throw new StartFailure(`No function has the event's "httpMethod" and "resource". Known: ${known}.`)
}
