import { readFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'

/** The packages that the figures depend on. */
const packages = ['@aws-sdk/client-ssm', '@middy/core', 'viem', 'esbuild', '@foundry-rs/anvil', 'autocannon']

/** Describes what the figures were measured on, and with. */
export async function describeMachine(): Promise<string> {
  const [cpu] = cpus()
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  const versions = await Promise.all(packages.map(async name => `${name} ${await versionOf(name)}`))
  return [
    `${cpu?.model.trim()}, ${cpus().length} cores, ${memoryGb} GB, ${process.platform} ${process.arch};`,
    `Node ${process.versions.node}; ${versions.join(', ')}. ${new Date().toISOString().slice(0, 10)}.`,
  ].join(' ')
}

async function versionOf(name: string): Promise<string> {
  const text = await readFile(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
