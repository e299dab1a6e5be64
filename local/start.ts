import { once } from 'node:events'
import { defaultNetwork } from '../api/networks.ts'
import { startMovement } from './chains/movement.ts'
import { parseOptions, sourcesHelp, variablesHelp } from './command-line.ts'
import { printPrices } from './price-table.ts'
import { runCommand, StartFailure } from './run-command.ts'
import { startServer } from './server.ts'
import { startService } from './service.ts'

const command = 'npm start --'

const help = `${command} [options]

Runs the handlers of the functions in this process, with the cache and the
documents of the API. It does not throttle, and has neither a memory limit nor
time limits of functions and gateway. Without options, each network is a local
chain with invented prices, which move: a feed that is \`OK\` has a new one every
5 seconds, and the last of them on the ${defaultNetwork} goes through all statuses in two
minutes. What else differs from a deployment: D33 of docs/decisions.md.

  --log               print a line per request
  --port N            listen at this port; 0 for any free port (3000)
  --host HOST         listen at this address (127.0.0.1); 0.0.0.0 serves other
                      machines too, at the URL that is printed
${sourcesHelp}
  --help              print this help

${variablesHelp}`

await runCommand(async interrupted => {
  const args = process.argv.slice(2)
  const { help: wanted, host, port, log, sources, rest } = parseOptions(command, args, process.env)
  if (wanted) return console.log(help)
  const [stray] = rest
  if (stray !== undefined)
    throw new StartFailure(`Unknown argument number ${1 + args.indexOf(stray)}. ${command} --help lists the options.`)
  console.log('Starting…\n')
  await using service = await startService(sources)
  if (interrupted.aborted) return
  // The requests of the start itself are not logged.
  let isRunning = false
  const logRequest = (line: string) => {
    if (log && isRunning) console.log(line)
  }
  const { baseUrl, stop } = await startServer({ ...service, host, port, logRequest })
  await using running = new AsyncDisposableStack()
  running.defer(stop)
  const isUp = await printPrices(baseUrl, sources, interrupted).catch(explain(host, port))
  for (const [network, chain] of Object.entries(service.chains)) {
    running.defer(startMovement(chain, network === defaultNetwork))
    void chain.ended.then(cause => {
      // The report is delayed, because `npm run watch` ends this process and its chains one after another.
      const report = () => console.error(`The chain of the ${network} has ended. Restart.`)
      if (cause === 'itself') setTimeout(report, 1_000).unref()
    })
  }
  if (isUp) console.log(`  curl ${baseUrl}/price/CRWD\n`)
  console.log(`Price Lookup is running. Ctrl-C stops it. Open ${baseUrl}/`)
  isRunning = true
  if (!interrupted.aborted) await once(interrupted, 'abort')
})

/**
 * Handles an error of `fetch`. If `fetch` refused the port, as browsers do, throws a `StartFailure` with the remedy.
 */
function explain(host: string, port: number): (error: unknown) => never {
  return error => {
    const isRefused = error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'
    if (!isRefused) throw error
    throw new StartFailure(`Browsers and fetch refuse port ${port} of ${host}: bad port. Choose another with --port.`)
  }
}
