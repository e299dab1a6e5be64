import { readFile } from 'node:fs/promises'
import { parseOptions, sourcesHelp } from './options.ts'
import { run } from './run.ts'
import { StartFailure } from './start-failure.ts'
import type { Template } from './template.ts'
import { startWorld } from './world.ts'

const help = `npm run invoke -- [options] events/EVENT.json

Runs the function that answers the event's route, once, as Lambda would, and prints what it returns to the gateway.

${sourcesHelp}
  --help              say this`

await run(async () => {
  const { help: wanted, sources, rest } = parseOptions(process.argv.slice(2))
  if (wanted) return console.log(help)
  const [path, ...more] = rest
  if (path === undefined || more.length > 0) throw new StartFailure('Name one event, as events/get-price-crwd.json.')
  const event = await readEvent(path)
  await using world = await startWorld(sources)
  const result = await world.functions.invoke(findFunction(world.template, event), event)
  console.log(JSON.stringify(JSON.parse(result), null, 2))
})

/** What we must know of an event: the route that it came by. */
interface RoutedEvent {
  readonly resource?: unknown
  readonly httpMethod?: unknown
}

async function readEvent(path: string): Promise<RoutedEvent> {
  try {
    const event: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof event === 'object' && event !== null) return event
  } catch {}
  throw new StartFailure(`${path} is not a file with an event, which is a JSON object.`)
}

function findFunction({ routes }: Template, { resource, httpMethod }: RoutedEvent): string {
  const route = routes.find(one => one.resourcePath === resource && one.httpMethod === httpMethod)
  if (route?.integration.type === 'AWS_PROXY') return route.integration.functionId
  const known = routes.filter(({ integration }) => integration.type === 'AWS_PROXY')
  const names = known.map(one => `${one.httpMethod} ${one.resourcePath}`).join(' and ')
  throw new StartFailure(`No function answers the event's "httpMethod" and "resource": there is ${names}.`)
}
