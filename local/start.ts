import { once } from 'node:events'
import { createServer } from 'node:net'
import { formatFeeds } from './feeds-table.ts'
import { startGateway } from './gateway.ts'
import { parseOptions, sourcesHelp } from './options.ts'
import { run } from './run.ts'
import { StartFailure } from './start-failure.ts'
import { startWorld } from './world.ts'

const help = `npm start -- [options]

Runs the service on this machine as it would be deployed: its template, its bundles, and a chain of its own for each network.

  --port N            listen there; 0 for any free port (3000)
  --host HOST         listen at this address (127.0.0.1)
${sourcesHelp}
  --help              say this`

await run(async interrupted => {
  const { help: wanted, host, port, sources, rest } = parseOptions(process.argv.slice(2))
  if (wanted) return console.log(help)
  if (rest.length > 0) throw new StartFailure(`There is no option ${rest[0]}. --help shows what there is.`)
  await tryPort(host, port)
  console.log('Bundling, synthesising, starting chains…')
  await using world = await startWorld(sources)
  if (interrupted.aborted) return
  const gateway = await startGateway({ ...world, host, port }).catch(explain(host, port))
  console.log(`\nPrice Lookup answers. Open ${gateway.baseUrl}/ in a browser.\n`)
  for (const query of ['', '?network=testnet']) console.log(await describe(`${gateway.baseUrl}/price${query}`))
  console.log(`  curl ${gateway.baseUrl}/price/CRWD\n\nCtrl-C stops it.`)
  if (!interrupted.aborted) await once(interrupted, 'abort')
  await gateway.stop()
})

/** Says what the service answers there, as any client would hear it. */
async function describe(url: string): Promise<string> {
  const response = await fetch(url)
  const body = JSON.parse(await response.text())
  return response.ok ? formatFeeds(body) : `GET ${url}\n${response.status} ${body.title}: ${body.detail}\n`
}

/** Listens for a moment, so that a port which is taken is known before the long work begins. */
async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening').catch(explain(host, port))
  server.close()
  await once(server, 'close')
}

/** Makes a sentence of why nobody can listen there. */
function explain(host: string, port: number): (error: unknown) => never {
  const reasons = new Map<unknown, string>([
    ['EADDRINUSE', `Port ${port} of ${host} is taken: --port N takes another, --port 0 any free one.`],
    ['EACCES', `This user may not listen at port ${port}: --port N takes another.`],
    ['EADDRNOTAVAIL', `This machine has no address ${host}: --host takes another.`],
    ['ENOTFOUND', `There is no host ${host}: --host takes another.`],
  ])
  return error => {
    const reason = error instanceof Error && 'code' in error ? reasons.get(error.code) : undefined
    throw reason === undefined ? error : new StartFailure(reason)
  }
}
