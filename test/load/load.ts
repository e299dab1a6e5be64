import { startDeployment } from './deployment.ts'
import { runMemory } from './memory.ts'
import { reportMemory, reportTraffic } from './report.ts'
import { runTraffic } from './traffic.ts'

/** How many requests are measured. */
const requests = Number(process.env['LOAD_REQUESTS'] ?? 6_000)

const broken: string[] = []
const complain = (what: string): void => void broken.push(what)
await using deployment = await startDeployment(complain)
reportTraffic(await runTraffic(deployment, requests, complain))
reportMemory(await runMemory(deployment, complain), complain)
console.log(
  broken.length === 0 ? 'No promise broken.' : `${broken.length} promises broken:\n${broken.slice(0, 10).join('\n')}`,
)
process.exitCode = broken.length === 0 ? 0 : 1
