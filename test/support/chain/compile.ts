import solc from 'solc'
import type { Hex } from 'viem'

/**
 * Compiles a Yul object.
 *
 * @param settings the settings of the compiler, besides its selection of outputs
 * @returns the bytecode of its code
 * @throws {Error} with the compiler's messages when it does not compile
 */
export function compileYul(source: string, settings: object): Hex {
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
export function compileSolidity(sources: Readonly<Record<string, string>>, settings: object): Record<string, Hex> {
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
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)))
  if (contracts === undefined) throw new Error(JSON.stringify(errors))
  const compiled = Object.values<Record<string, { readonly evm: Evm }>>(contracts).flatMap(Object.entries)
  return compiled.map(([name, { evm }]): [string, Evm] => [name, evm])
}

/** Hexadecimal digits of init code (`bytecode`) and of runtime code. */
type Evm = Readonly<Record<'bytecode' | 'deployedBytecode', { readonly object: string }>>
