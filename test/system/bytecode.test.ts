import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { compileSolidity } from '../support/chain/compile.ts'

/** The EVM version is the newest that both anvil and Nitro support. */
const settings = { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } }

test('bytecode.ts is that of the sources; if not: npx vitest run test/system/bytecode.test.ts -u', async () => {
  const files = globSync('local/chains/contracts/*.sol').sort()
  const sources = Object.fromEntries(files.map(file => [basename(file), readFileSync(file, 'utf8')]))
  const codes = Object.entries(compileSolidity(sources, settings)).sort()
  expect(codes.map(([, code]) => code)).not.toContain('0x')
  const text = [
    '// biome-ignore-all format: written by test/system/bytecode.test.ts',
    '',
    '/** The runtime bytecode of the contracts in this folder. A start has no compiler, so a test compiles and compares. */',
    'export const runtimeCodes = {',
    ...codes.map(([name, code]) => `  ${name}: '${code}',`),
    '} as const',
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../local/chains/contracts/bytecode.ts')
})
