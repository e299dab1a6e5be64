import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import solcPackage from 'solc/package.json' with { type: 'json' }
import { isHex } from 'viem'
import { z } from 'zod'
import { StartFailure } from '../../run-command.ts'

/** The runtime bytecode of each contract in this folder. */
export type RuntimeCodes = z.output<typeof runtimeCodes>

/**
 * Compiles the contracts in this folder to runtime bytecode.
 *
 * Compiling takes a second, so the result is cached in `node_modules/.cache`, under a hash of the compiler and its input.
 *
 * @throws {StartFailure} with the compiler's messages when there is an error or a warning.
 */
export async function compileContracts(): Promise<RuntimeCodes> {
  const input = JSON.stringify({ language: 'Solidity', sources: await readSources(), settings })
  const key = createHash('sha256').update(solcPackage.version).update(input).digest('hex')
  const file = new URL(`contracts-${key}.json`, cacheFolder)
  const cached = await readFile(file, 'utf8').catch(() => undefined)
  if (cached !== undefined) return runtimeCodes.parse(JSON.parse(cached))
  const { default: solc } = await import('solc')
  const codes = toRuntimeCodes(JSON.parse(solc.compile(input)))
  await mkdir(cacheFolder, { recursive: true })
  // A concurrent reader sees the complete file or none.
  const written = `${fileURLToPath(file)}.${randomUUID()}`
  await writeFile(written, JSON.stringify(codes))
  await rename(written, file)
  return codes
}

const sourceFolder = new URL('./', import.meta.url)
const cacheFolder = new URL('../../../node_modules/.cache/price-lookup/', import.meta.url)

/** The EVM version is the newest that both anvil and Nitro support. */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
}

async function readSources(): Promise<Record<string, { content: string }>> {
  const files = (await readdir(sourceFolder)).filter(file => file.endsWith('.sol')).sort()
  const sources = files.map(async file => [file, { content: await readFile(new URL(file, sourceFolder), 'utf8') }])
  return Object.fromEntries(await Promise.all(sources))
}

const code = z.custom<`0x${string}`>(value => isHex(value) && value !== '0x')
const runtimeCodes = z.object({ Batch: code, StandInArbSys: code, StandInFeed: code })

const contract = z.object({ evm: z.object({ deployedBytecode: z.object({ object: z.string() }) }) })
const compilerOutput = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), contract)).default({}),
})

function toRuntimeCodes(output: unknown): RuntimeCodes {
  const { errors, contracts } = compilerOutput.parse(output)
  if (errors.length > 0) {
    const messages = errors.map(({ formattedMessage }) => formattedMessage.trim())
    throw new StartFailure(`The contracts in local/chains/contracts do not compile.\n\n${messages.join('\n\n')}`)
  }
  const compiled = Object.values(contracts).flatMap(inFile => Object.entries(inFile))
  const codes = compiled.map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`])
  return runtimeCodes.parse(Object.fromEntries(codes))
}
