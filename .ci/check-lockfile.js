// Fails when `npm ci` on this machine would install a package without comparing its hash. It runs before anything is installed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Finds the packages of a lockfile that a platform installs and that have no `integrity`. */
export function findUnverified(packages, { os, cpu, libc }) {
  const allows = (allowed, one) => allowed === undefined || allowed.includes(one)
  return Object.entries(packages)
    .filter(([name, entry]) => name !== '' && !entry.integrity && !entry.inBundle && !entry.link)
    .filter(([, entry]) => allows(entry.os, os) && allows(entry.cpu, cpu) && allows(entry.libc, libc))
    .map(([name]) => name.replace(/^.*node_modules\//, ''))
}

/** The sentence of CONTRIBUTING.md, "Missing `integrity`". */
export const remedy =
  'To repair it, write the lockfile anew with a complete registry: `rm -rf node_modules package-lock.json && npm install`.'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined
  const libc = process.platform === 'linux' && isGlibc ? 'glibc' : 'musl'
  const unverified = findUnverified(packages, { os: process.platform, cpu: process.arch, libc })
  if (unverified.length > 0) {
    console.error(`package-lock.json has no \`integrity\` for ${unverified.join(', ')}.\n${remedy}`)
    process.exit(1)
  }
}
