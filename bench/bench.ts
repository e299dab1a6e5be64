import { cpus, loadavg, totalmem } from 'node:os'
import packageJson from '../package.json' with { type: 'json' }
import { measureColdStart } from './cold-start.ts'
import { routes } from './programs.ts'
import { startUpstream } from './upstream.ts'
import { measureWarm } from './warm.ts'

const args = process.argv.slice(2)
if (args.length > 0) {
  const isHelp = args.join() === '--help'
  const print = isHelp ? console.log : console.error
  print(`npm run --silent bench

Measures the service beside what it is compared with. Prints docs/bench.md from
"## Figures" to its end. Takes some three minutes, and needs a quiet machine. It
has no arguments.`)
  process.exit(isHelp ? 0 : 1)
}

console.log(`## Figures\n\n${formatCircumstances()}`)
{
  await using upstream = await startUpstream()
  console.log(`\n### Warm: a record\n\n${await measureWarm('record', upstream)}`)
  console.log(`\n### Warm: the list of ${routes.list.feeds.length}\n\n${await measureWarm('list', upstream)}`)
  console.log(`\n### Cold starts\n\n${await measureColdStart(upstream)}`)
}

function formatCircumstances(): string {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpu?.model}, ${cpus().length} cores, ${gigabytes} GB, ${process.platform} ${process.arch}`
  const { dependencies, devDependencies } = packageJson
  const versions = [
    `Node ${process.versions.node}`,
    `client-ssm ${dependencies['@aws-sdk/client-ssm']}`,
    `middy ${dependencies['@middy/core']}`,
    `viem ${dependencies.viem}`,
    `esbuild ${devDependencies.esbuild}`,
    `anvil ${devDependencies['@foundry-rs/anvil']}`,
  ]
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}, load average ${loadavg()[0]?.toFixed(1)}.
${versions.join(', ')}.`
}
