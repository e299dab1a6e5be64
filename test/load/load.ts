import { startDeployment } from './deployment.ts'
import { measureMemory } from './memory.ts'
import { sendTraffic } from './traffic.ts'

const help = `npm run load

Sends requests to the service for some three minutes, while feeds change and endpoints stop. Fails on a response that is
wrong, old or not documented, and on a function that keeps memory, connections or timers.

  --help   print this text

Exit code: 0 without a failure, 1 with one, 2 when the command is wrong.`

const args = process.argv.slice(2)
if (args.length > 0) {
  console.log(help)
  process.exit(['--help', '-h'].includes(args.join()) ? 0 : 2)
}
const failures: string[] = []
const fail = (failure: string): void => void failures.push(failure)
{
  await using deployment = await startDeployment(fail)
  await sendTraffic(deployment, fail)
  await measureMemory(deployment, fail)
}
console.log(failures.length === 0 ? 'No failure.' : `${failures.length} failures:\n${failures.slice(0, 10).join('\n')}`)
process.exitCode = failures.length === 0 ? 0 : 1
