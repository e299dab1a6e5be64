import solc from 'solc'
import type { Hex } from 'viem'

/**
 * Compiles a Yul object.
 *
 * @param settings of the compiler, beside the output
 * @returns the bytecode of its code
 * @throws {Error} with the compiler's messages when it does not compile
 */
export function compileYul(
  source: string,
  settings: { readonly evmVersion: string; readonly optimizer?: object },
): Hex {
  const outputSelection = { '*': { '*': ['evm.bytecode.object'] } }
  const input = {
    language: 'Yul',
    sources: { source: { content: source } },
    settings: { ...settings, outputSelection },
  }
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  const [contract] = Object.values(output.contracts?.source ?? {})
  if (contract === undefined) throw new Error(JSON.stringify(output.errors))
  return `0x${contract.evm.bytecode.object}`
}

interface Output {
  readonly errors?: readonly unknown[]
  readonly contracts?: {
    readonly source: Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>
  }
}
