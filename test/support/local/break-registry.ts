import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes two errors in the registry of a copy of the repository.
 *
 * @returns what a program prints that checks it
 */
export async function breakRegistry(folder: string): Promise<string> {
  const path = join(folder, 'lambda/feeds/registry.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"AAPL"', '"AMC"').replace('0x0c098235d', '0x0C098235d'))
  return [
    'lambda/feeds/registry.json has errors.',
    '  mainnet AMC address: 0x0C098235d4069Ad82c9EcaeF8264835C5A0dBc7D is not an address with its checksum (ERC-55).',
    '  mainnet AMC symbol: AMC is already the symbol of AMC.',
    '',
  ].join('\n')
}
