// Fails when `npm ci` on this machine would install a package without comparing its hash.
// It runs before anything is installed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A package of a lockfile. */
interface Entry {
  readonly integrity?: string
  readonly inBundle?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** A platform, as a lockfile names it. */
type Platform = Readonly<Record<'os' | 'cpu' | 'libc', string>>

/** The sentence of CONTRIBUTING.md, "Missing `integrity`". */
export const remedy =
  'To repair it, write the lockfile anew with a complete registry: ' +
  '`rm -rf node_modules package-lock.json && npm install`.'

/** Finds the packages that a platform installs and that have no `integrity`. */
export function findUnverified(packages: Readonly<Record<string, Entry>>, platform: Platform): readonly string[] {
  const isInstalled = (entry: Entry) =>
    (['os', 'cpu', 'libc'] as const).every(key => entry[key]?.includes(platform[key]) ?? true)
  return Object.entries(packages)
    .filter(([name, entry]) => name !== '' && !entry.integrity && !entry.inBundle && isInstalled(entry))
    .map(([name]) => name.replace(/^.*node_modules\//, ''))
}

// `import.meta.main` needs Node 24.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport()
  const libc = report.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  const unverified = findUnverified(packages, { os: process.platform, cpu: process.arch, libc })
  if (unverified.length > 0) {
    console.error(`package-lock.json has no \`integrity\` for ${unverified.join(', ')}.\n${remedy}`)
    process.exitCode = 1
  }
}
