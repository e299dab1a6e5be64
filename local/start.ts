import { once } from 'node:events'
import { createServer } from 'node:net'
import { defaultNetwork, networks, toQuery } from '../api/networks.ts'
import { problemDocument } from '../api/problem-document.ts'
import { priceList } from '../api/record.ts'
import { startMovement } from './chains/movement.ts'
import { parseOptions, sourcesHelp, variablesHelp } from './command-line.ts'
import { startGateway } from './gateway/gateway.ts'
import { runCommand, StartFailure } from './run-command.ts'
import { startSandbox } from './sandbox.ts'
import { readSourceState, serveChanges } from './watch.ts'

const help = `npm start -- [options]

Runs the service on this machine as it is deployed, from its template and bundles. Without options, each network is a local
chain with invented prices, which move: a feed that is \`OK\` has a new one every 5 seconds, and the last of them on the
${defaultNetwork} goes through all statuses in two minutes.

  --watch             serve every change of api/, lambda/, pages/ and infra/, without a restart;
                      a local chain gets new feeds, and a new network its chain, after a restart only
  --log               print a line per request
  --port N            listen at this port; 0 for any free port (3000)
  --host HOST         listen at this address (127.0.0.1)
${sourcesHelp}
  --help              print this help

${variablesHelp}`

await runCommand(async interrupted => {
  const { help: wanted, host, port, watch, log, sources, rest } = parseOptions(process.argv.slice(2))
  if (wanted) return console.log(help)
  if (rest.length > 0) throw new StartFailure('An argument is not an option. --help lists the options.')
  await tryPort(host, port)
  console.log('Bundling, synthesising, starting chains…')
  const state = await readSourceState()
  await using sandbox = await startSandbox(sources)
  if (interrupted.aborted) return
  const gateway = await startGateway({ ...sandbox, host, port, ...(log && { logRequest: console.log }) }).catch(
    explain(host, port),
  )
  console.log(
    `\nPrice Lookup is running. Open ${gateway.baseUrl}/ in a browser; the API reference is at ${gateway.baseUrl}/docs\n`,
  )
  let isUp = false
  for (const network of networks) {
    const note = sources[network] === 'embedded' ? ': a local chain with invented prices' : ''
    const url = `${gateway.baseUrl}/price${toQuery(network)}`
    const response = await fetch(url)
    console.log(formatList(url, response.ok, await response.json(), note))
    if (network === defaultNetwork) isUp = response.ok
  }
  await using moving = new AsyncDisposableStack()
  for (const [network, chain] of Object.entries(sandbox.chains)) {
    moving.defer(startMovement(chain, network === defaultNetwork))
  }
  if (isUp) console.log(`  curl ${gateway.baseUrl}/price/CRWD\n`)
  if (watch) console.log('Changes of api/, lambda/, pages/ and infra/ are served as soon as they are saved.')
  console.log('Ctrl-C stops it.')
  if (watch) await serveChanges(state, sandbox, gateway, interrupted)
  else if (!interrupted.aborted) await once(interrupted, 'abort')
  await gateway.stop()
})

/** Formats a network's list as a table, or the problem in its place. */
function formatList(url: string, isList: boolean, body: unknown, note: string): string {
  if (!isList) {
    const { status, title, detail } = problemDocument.parse(body)
    return `GET ${url}\n${status} ${title}: ${detail}\n`
  }
  const { network, chainId, block, feeds } = priceList.parse(body)
  const rows = feeds.map(entry => {
    const { symbol, url } = entry
    if ('problem' in entry) return [symbol, entry.problem.title, '-', '-', url]
    const { status, price, servesLatestRoundData, latestRoundDataReverts = 'no' } = entry
    return [symbol, status, `${price ?? '-'}`, servesLatestRoundData ? 'yes' : latestRoundDataReverts, url]
  })
  const table = [['SYMBOL', 'STATUS', 'PRICE', 'SERVED', 'URL'], ...rows]
  const widths = [0, 1, 2, 3, 0].map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0)))
  const lines = table.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [`${network} (${chainId}), block ${block}${note}`, '', ...lines.map(line => `  ${line}`), ''].join('\n')
}

/** Listens for a moment, to report a port in use before the slow part of the start. */
async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening').catch(explain(host, port))
  server.close()
  await once(server, 'close')
}

/** Converts an error of `listen` to a `StartFailure` with its remedy. */
function explain(host: string, port: number): (error: unknown) => never {
  const reasons = new Map<unknown, string>([
    ['EADDRINUSE', `Port ${port} of ${host} is in use. Choose another with --port, or any free one with --port 0.`],
    ['EACCES', `This user may not listen at port ${port}. Choose another with --port.`],
    ['EADDRNOTAVAIL', `This machine does not have the address ${host}. Choose another with --host.`],
    ['ENOTFOUND', `The host ${host} does not exist. Choose another with --host.`],
  ])
  return error => {
    const reason = error instanceof Error && 'code' in error ? reasons.get(error.code) : undefined
    throw reason === undefined ? error : new StartFailure(reason)
  }
}
