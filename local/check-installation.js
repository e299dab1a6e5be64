// Most npm scripts begin with this program. A Node that is too old for TypeScript can run it.
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const exists = path => existsSync(new URL(path, root))
const read = path => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const { '': _, ...packages } = read('package-lock.json').packages

/**
 * Whether this platform needs a package: each needs optional packages of its own. Those for musl are found by their
 * names, because npm before 11.11 removes `libc` from the lockfile: https://github.com/npm/cli/issues/8514
 */
function isNeeded(path) {
  const { optional, os, cpu } = packages[path]
  const isForThis = os?.includes(process.platform) && cpu?.includes(process.arch) && !path.includes('musl')
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
  const install = 'npm ci --include=dev --include=optional'
  const [needed] = packages['node_modules/node'].version.split('.')
  // Within npm's scripts, `node` is the project's own. npm itself runs on the machine's.
  const [, npmNode] = /node\/v([\d.]+)/.exec(process.env.npm_config_user_agent) ?? []
  if (npmNode !== undefined && Number.parseInt(npmNode, 10) < 20)
    return `npm runs on Node ${npmNode}, and skips packages that need Node 20. Install Node ${needed}, then: ${install}`
  const missing = Object.keys(packages).find(path => isNeeded(path) && !isInstalled(path))
  if (missing !== undefined) return `${missing} ${packages[missing].version} is missing. Install it: ${install}`
  // npm writes this file last.
  if (!exists('node_modules/.package-lock.json')) return `node_modules is incomplete. Install it: ${install}`
  if (exists('node_modules/node/bin/node') && !exists('node_modules/.bin/node'))
    return [
      'npm has linked no commands, as with bin-links=false.',
      `Set bin-links=true where it is false (.npmrc, npm_config_bin_links), then: ${install}`,
    ].join(' ')
  const running = process.versions.node
  if (running.split('.')[0] === needed) return undefined
  return [
    `This is Node ${running}, and Node ${needed} is needed (.node-version).`,
    'Install it, then npm ci --ignore-scripts. Or let npm download it: npm rebuild node --ignore-scripts=false',
  ].join(' ')
}

const obstacle = findObstacle()
if (obstacle !== undefined) {
  console.error(obstacle)
  process.exitCode = 1
}
