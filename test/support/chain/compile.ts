import solc from 'solc'
import type { Hex } from 'viem'

/** Settings of the compiler, beside the output. */
interface Settings {
  readonly evmVersion: string
  readonly optimizer?: object
}

/**
 * Compiles a Yul object.
 *
 * @returns the bytecode of its code
 * @throws {Error} with the compiler's messages when it does not compile
 */
export function compileYul(source: string, settings: Settings): Hex {
  const [compiled] = compile('Yul', { source }, settings)
  return `0x${compiled?.[1].bytecode.object}`
}

/**
 * Compiles Solidity to runtime bytecode, without the metadata, which every change of a comment would change.
 *
 * @param sources by the name of their file
 * @returns the bytecode of each contract, by its name
 * @throws {Error} with the compiler's messages when it does not compile
 */
export function compileSolidity(sources: Readonly<Record<string, string>>, settings: Settings): Record<string, Hex> {
  const compiled = compile('Solidity', sources, { ...settings, metadata: { appendCBOR: false } })
  return Object.fromEntries(compiled.map(([name, { deployedBytecode }]) => [name, `0x${deployedBytecode.object}`]))
}

function compile(language: string, sources: Readonly<Record<string, string>>, settings: object) {
  const outputSelection = { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  const input = {
    language,
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    settings: { ...settings, outputSelection },
  }
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  if (output.contracts === undefined) throw new Error(JSON.stringify(output.errors))
  const contracts = Object.values(output.contracts).flatMap(inFile => Object.entries(inFile))
  return contracts.map(([name, { evm }]) => [name, evm] as const)
}

interface Output {
  readonly errors?: readonly unknown[]
  readonly contracts?: Record<string, Record<string, { readonly evm: Bytecode }>>
}

/** Hexadecimal digits of init code and of runtime code. */
interface Bytecode {
  readonly bytecode: { readonly object: string }
  readonly deployedBytecode: { readonly object: string }
}
