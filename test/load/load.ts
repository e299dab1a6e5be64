import { startDeployment } from './deployment.ts'
import { runMemory } from './memory.ts'
import { reportMemory, reportTraffic } from './report.ts'
import { runTraffic } from './traffic.ts'

/** The number of measured requests. */
const requests = Number(process.env['LOAD_REQUESTS'] ?? 6_000)

if (process.argv.includes('--help')) {
  console.log(`npm run load

Measures the memory of the functions under a long load with failing endpoints. Exit code 1 after a failure.
LOAD_REQUESTS changes the number of measured requests (6000).`)
  process.exit()
}

const failures: string[] = []
const fail = (failure: string): void => void failures.push(failure)
await using deployment = await startDeployment(fail)
reportTraffic(await runTraffic(deployment, requests, fail))
reportMemory(await runMemory(deployment, fail), fail)
console.log(failures.length === 0 ? 'No failure.' : `${failures.length} failures:\n${failures.slice(0, 10).join('\n')}`)
process.exitCode = failures.length === 0 ? 0 : 1
