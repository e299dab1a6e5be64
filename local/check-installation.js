// Most npm scripts begin with this program. A Node that is too old for TypeScript can run it.
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const read = path => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const { '': _, ...packages } = read('package-lock.json').packages

/** Of the optional packages, each platform needs its own. */
function isNeeded({ optional, os, cpu, libc }) {
  const isForThis = os?.includes(process.platform) && cpu?.includes(process.arch) && libc?.includes('musl') !== true
  return !optional || isForThis
}

function isInstalled(path) {
  try {
    return read(`${path}/package.json`).version === packages[path].version
  } catch {
    return false
  }
}

function findObstacle() {
  const install = 'Install it: npm ci --include=dev --include=optional'
  const missing = Object.keys(packages).find(path => isNeeded(packages[path]) && !isInstalled(path))
  if (missing !== undefined) return `${missing} ${packages[missing].version} is missing. ${install}`
  // npm writes this file last.
  if (!existsSync(new URL('node_modules/.package-lock.json', root))) return `node_modules is incomplete. ${install}`
  const [running, needed] = [process.versions.node, packages['node_modules/node'].version]
  if (running.split('.')[0] === needed.split('.')[0]) return undefined
  return `This is Node ${running}, and Node ${needed} is needed. Install it: npm rebuild node --ignore-scripts=false`
}

const obstacle = findObstacle()
if (obstacle !== undefined) {
  console.error(obstacle)
  process.exitCode = 1
}
