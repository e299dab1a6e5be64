import { measureMemory } from './memory.ts'

const help = `npm run load

Sends requests to one container of each function, while endpoints stop and restart. Fails on a wrong response, and on a
function that keeps memory, connections or timers.

  --help   print this text

Exit code: 0 without a failure, 1 with one, 2 when the command is wrong.`

const args = process.argv.slice(2)
if (args.length > 0) {
  console.log(help)
  process.exit(['--help', '-h'].includes(args.join()) ? 0 : 2)
}
const failures: string[] = []
await measureMemory(failure => failures.push(failure))
console.log(failures.length === 0 ? 'No failure.' : `${failures.length} failures:\n${failures.slice(0, 10).join('\n')}`)
process.exitCode = failures.length === 0 ? 0 : 1
