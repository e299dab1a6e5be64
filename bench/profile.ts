import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownerOf } from './size.ts'

/** One function of the code, and its share of the time. */
export interface Spent {
  /** The package, Node itself, or ours. */
  readonly owner: string
  readonly place: string
  readonly ms: number
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** Makes a folder for profiles, and the options that make Node write them into it. */
export async function createProfiles(parent: string): Promise<{ folder: string; nodeOptions: readonly string[] }> {
  const folder = await mkdtemp(join(parent, 'profiles-'))
  const nodeOptions = ['--cpu-prof', '--cpu-prof-interval', '100', '--cpu-prof-dir', folder]
  return { folder, nodeOptions }
}

/** Reads all profiles of a folder: the time in each function itself, without what it calls and without waiting. */
export async function readProfiles(folder: string): Promise<Spent[]> {
  const spent = new Map<string, Spent>()
  const maps = new Map<string, SourceMap | undefined>()
  for (const file of await readdir(folder)) {
    const { nodes, samples, timeDeltas }: Profile = JSON.parse(await readFile(join(folder, file), 'utf8'))
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
    for (const [at, id] of samples.entries()) {
      const frame = frames.get(id)
      if (frame === undefined || frame.functionName === '(idle)') continue
      if (!maps.has(frame.url)) maps.set(frame.url, await readMap(frame.url))
      const { owner, place } = locate(frame, maps.get(frame.url))
      const before = spent.get(owner + place)?.ms ?? 0
      spent.set(owner + place, { owner, place, ms: before + (timeDeltas[at] ?? 0) / 1_000 })
    }
  }
  return [...spent.values()].toSorted((a, b) => b.ms - a.ms)
}

async function readMap(url: string): Promise<SourceMap | undefined> {
  if (!url.endsWith('.cjs')) return undefined
  return new SourceMap(JSON.parse(await readFile(`${fileURLToPath(url)}.map`, 'utf8')))
}

function locate(
  { functionName, url, lineNumber, columnNumber }: CallFrame,
  map: SourceMap | undefined,
): Omit<Spent, 'ms'> {
  const name = functionName || '(top level)'
  if (url.startsWith('node:')) return { owner: 'Node', place: `${name} (${url})` }
  if (functionName === '(garbage collector)') return { owner: 'Node', place: functionName }
  if (map === undefined) return { owner: url === '' ? 'Node' : 'the benchmark', place: name }
  const found = map.findEntry(lineNumber, columnNumber)
  if (!('originalSource' in found)) return { owner: 'the bundle', place: '(top level)' }
  const source = found.originalSource.replace(/.*?(?=(?:lambda|bench|node_modules)\/)/, '')
  const inside = source.replace(/.*node_modules\/(@[^/]+\/)?[^/]+\//, '')
  return { owner: ownerOf(source), place: `${inside}:${found.originalLine + 1}` }
}
