import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import solcPackage from 'solc/package.json' with { type: 'json' }
import { type Hex, isHex } from 'viem'
import { StartFailure } from './start-failure.ts'

const contractNames = ['StandInArbSys', 'StandInFeed', 'StandInMulticall3'] as const

/** The runtime bytecode of every contract in `contracts/`. */
export type RuntimeCodes = Record<(typeof contractNames)[number], Hex>

/**
 * Compiles `contracts/*.sol` to runtime bytecode.
 *
 * Compiling takes a second, so the bytecode is kept in `node_modules/.cache` under a hash of all that it depends on.
 *
 * @throws {StartFailure} with the compiler's own words when it has an error or a warning.
 */
export async function compileContracts(): Promise<RuntimeCodes> {
  const input = JSON.stringify({ language: 'Solidity', sources: await readSources(), settings })
  const key = createHash('sha256').update(solcPackage.version).update(input).digest('hex')
  const file = new URL(`${key}.json`, cacheFolder)
  const cached = await readCodes(file)
  if (cached) return cached
  const { default: solc } = await import('solc')
  const codes = toRuntimeCodes(JSON.parse(solc.compile(input)))
  await writeCodes(file, codes)
  return codes
}

const sourceFolder = new URL('../contracts/', import.meta.url)
const cacheFolder = new URL('../node_modules/.cache/price-lookup/', import.meta.url)

/** The EVM version is the newest that both anvil and Nitro run. */
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

async function readCodes(file: URL): Promise<RuntimeCodes | undefined> {
  try {
    return parseRuntimeCodes(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes beside and renames, so that a concurrent reader sees the whole file or none. */
async function writeCodes(file: URL, codes: RuntimeCodes): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  const beside = `${fileURLToPath(file)}.${randomUUID()}`
  await writeFile(beside, JSON.stringify(codes))
  await rename(beside, file)
}

type CompilerOutput = {
  errors?: { formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

function toRuntimeCodes({ errors = [], contracts = {} }: CompilerOutput): RuntimeCodes {
  if (errors.length > 0) {
    const messages = errors.map(({ formattedMessage }) => formattedMessage.trim())
    throw new StartFailure(`The contracts in contracts/ do not compile cleanly.\n\n${messages.join('\n\n')}`)
  }
  return parseRuntimeCodes(
    Object.fromEntries(
      Object.values(contracts)
        .flatMap(inFile => Object.entries(inFile))
        .map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`]),
    ),
  )
}

function parseRuntimeCodes(codes: Record<string, unknown>): RuntimeCodes {
  const codeOf = (name: (typeof contractNames)[number]): Hex => {
    const code = codes[name]
    if (isHex(code) && code !== '0x') return code
    throw new StartFailure(`contracts/ holds no contract ${name}.`)
  }
  return {
    StandInArbSys: codeOf('StandInArbSys'),
    StandInFeed: codeOf('StandInFeed'),
    StandInMulticall3: codeOf('StandInMulticall3'),
  }
}
