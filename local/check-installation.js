// Every npm script begins with this program. A Node that is too old for TypeScript can run it.
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'))

/** Of the optional packages, each platform needs its own. */
function isNeeded({ optional, os, cpu, libc }) {
  const isForThis = os?.includes(process.platform) && cpu?.includes(process.arch) && libc?.includes('musl') !== true
  return !optional || isForThis
}

function findObstacle() {
  const missing = Object.keys(packages).find(path => isNeeded(packages[path]) && !existsSync(new URL(path, root)))
  if (missing !== undefined) return `${missing} is missing. Install it: npm ci --include=dev --include=optional`
  const [running, needed] = [process.versions.node, packages['node_modules/node'].version]
  if (running.split('.')[0] === needed.split('.')[0]) return undefined
  return `This is Node ${running}, and Node ${needed} is needed. Install it: npm rebuild node --ignore-scripts=false`
}

const obstacle = findObstacle()
if (obstacle !== undefined) {
  console.error(obstacle)
  process.exitCode = 1
}
