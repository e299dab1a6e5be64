import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { synthesise } from '../local/synthesise.ts'
import { readTemplate } from '../local/template.ts'
import { type Bundle, bundle, stock } from './bundle.ts'
import { formatCount, formatRatio, type Section, type Table } from './report.ts'
import type { Scene } from './scene.ts'

/** Measures the bundles, and shows what is in them, by package. */
export async function measureSize(scene: Scene): Promise<Section> {
  const { getPrice, listPrices, folder } = scene
  const bundles = new Map<string, Bundle>([
    ['Price Lookup: record', getPrice],
    ['Price Lookup: list', listPrices],
    ['client-ssm alone', await bundle('bench/baselines/client-alone.ts', folder, 'client-alone')],
    ['stock client-ssm alone', await bundle('bench/baselines/client-alone.ts', folder, 'stock-client-alone', stock)],
    [
      'stock client-ssm and viem',
      await bundle('bench/baselines/client-and-viem.ts', folder, 'stock-client-and-viem', stock),
    ],
  ])
  const alone = await sizesOf(bundles.get('client-ssm alone'))
  const rows: string[][] = []
  for (const [name, one] of bundles) {
    const sizes = await sizesOf(one)
    rows.push([name, ...sizes.map(formatCount), formatRatio((sizes[0] ?? 0) / (alone[0] ?? 1))])
  }
  await proveDeployed(scene)
  return {
    title: 'Size',
    tables: [{ columns: ['bytes', 'minified', 'gzip', 'brotli', 'of client-ssm alone'], rows }, toContents(getPrice)],
    notes: [
      'The functions are byte for byte what `cdk synth` bundles. The rows that say stock have the SDK as it comes, with its whole chain of credentials; the others take credentials from the environment alone. The second table is of the record; small packages are counted together.',
    ],
  }
}

async function sizesOf(one: Bundle | undefined): Promise<number[]> {
  if (one === undefined) return []
  const code = await readFile(one.file)
  return [code.length, gzipSync(code).length, brotliCompressSync(code).length]
}

/** Shows the packages of a bundle, the largest first. */
function toContents({ metafile }: Bundle): Table {
  const bytes = new Map<string, number>()
  let total = 0
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = ownerOf(path)
      bytes.set(owner, (bytes.get(owner) ?? 0) + bytesInOutput)
      total += bytesInOutput
    }
  }
  const sorted = [...bytes].toSorted(([, a], [, b]) => b - a)
  const shown = sorted.filter(([, size]) => size >= 0.01 * total)
  const rest = sorted.slice(shown.length)
  const others: [string, number][] = [[`${rest.length} others`, rest.reduce((sum, [, size]) => sum + size, 0)]]
  return {
    columns: ['in the bundle', 'bytes', 'share'],
    rows: [...shown, ...others].map(([owner, size]) => [
      owner,
      formatCount(size),
      `${((100 * size) / total).toFixed(1)} %`,
    ]),
  }
}

/** Names the package that a source belongs to, ours by its folder. */
export function ownerOf(path: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return name ?? `our ${/(?:lambda|bench)/.exec(path)?.[0] ?? path}`
}

/** @throws {Error} when the stack bundles its functions in another way than we do. */
async function proveDeployed({ folder, getPrice, listPrices }: Scene): Promise<void> {
  const { functions } = await readTemplate(await synthesise(join(folder, 'cdk.out')))
  const deployed = await Promise.all([...functions.values()].map(({ entry }) => readFile(entry, 'utf8')))
  for (const { file } of [getPrice, listPrices]) {
    if (!deployed.includes(await readFile(file, 'utf8'))) throw new Error(`${file} is not what the stack deploys.`)
  }
}
