import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findUnverified, remedy } from '../.ci/check-lockfile.ts'
import repository from '../package.json' with { type: 'json' }

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}

interface Job {
  readonly if?: string
  readonly needs?: string
  readonly environment?: string
  readonly permissions?: object
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean }
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly steps: readonly Step[]
}

const texts = { check: read('check'), deploy: read('deploy') }
type Name = 'build' | 'diff' | 'staging' | 'smoke-staging' | 'prod' | 'smoke-prod'
const deploy: { on: object; permissions: object; concurrency?: object; jobs: Record<Name, Job> } = parse(texts.deploy)
const { build, diff, staging, prod } = deploy.jobs

function read(name: string): string {
  return readFileSync(`.github/workflows/${name}.yml`, 'utf8')
}

const runsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? [])
const usesOf = ({ steps }: Job) => steps.flatMap(({ uses }) => uses?.split('@')[0] ?? [])

test('no workflow has a stored key; the deployment gets its credentials for a token of GitHub', () => {
  for (const text of Object.values(texts)) expect(text).not.toMatch(/secrets\.|aws-(access-key-id|secret-access-key)/)
  expect(deploy.permissions).toEqual({ contents: 'read' })
  for (const job of [diff, staging, prod]) {
    const [credentials] = job.steps.filter(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'))
    const role = job === diff ? "vars[format('AWS_DIFF_ROLE_{0}', matrix.environment)]" : 'vars.AWS_DEPLOY_ROLE'
    expect(credentials?.with).toEqual({
      'aws-region': `\${{ vars.AWS_REGION }}`,
      'role-to-assume': `\${{ ${role} }}`,
    })
  }
})

test('a job with a token installs nothing: it downloads what another job installed, tested and built', () => {
  const withToken = Object.values(deploy.jobs).filter(({ permissions }) => permissions !== undefined)
  expect(withToken).toEqual([diff, staging, prod])
  for (const job of withToken) {
    expect(job.permissions).toEqual({ 'id-token': 'write' })
    expect(usesOf(job)).toEqual([
      'actions/download-artifact',
      'actions/setup-node',
      'aws-actions/configure-aws-credentials',
    ])
    expect(runsOf(job).join()).not.toMatch(/\b(npm|npx)\b/)
  }
  expect(runsOf(build)).toEqual([
    'node .ci/check-lockfile.ts',
    'npm ci --ignore-scripts',
    'npm run check',
    'npx cdk synth --quiet -c environment=staging --output cdk.out/staging',
    'npx cdk synth --quiet -c environment=prod --output cdk.out/prod',
  ])
})

test('Node is that of `.node-version`, which is that of the lockfile, and no install script runs', () => {
  const version = readFileSync('.node-version', 'utf8').trim()
  expect(version).toBe(repository.devDependencies.node)
  for (const job of Object.values(deploy.jobs)) {
    const [node] = job.steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'))
    const hasFile = usesOf(job).includes('actions/checkout')
    expect(node?.with).toEqual(hasFile ? { 'node-version-file': '.node-version' } : { 'node-version': version })
  }
  expect(texts.deploy.match(/npm ci.*/g)).toEqual(Array(3).fill('npm ci --ignore-scripts'))
})

test('each environment has its own concurrency group, so that a run that waits for approval blocks no other', () => {
  expect(deploy.concurrency).toBeUndefined()
  const groups = [staging, prod].map(({ concurrency }) => concurrency)
  expect(groups).toEqual(['deploy-staging', 'deploy-prod'].map(group => ({ group, 'cancel-in-progress': false })))
})

test('a workflow ends, with the remedy, when its platform would install a package without a hash', async () => {
  for (const text of Object.values(texts)) expect(text).toContain('- run: node .ci/check-lockfile.ts\n')
  expect(readFileSync('CONTRIBUTING.md', 'utf8').replaceAll('\n', ' ')).toContain(remedy)
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-lockfile-'))
  writeFileSync(join(folder, 'package-lock.json'), '{"packages":{"node_modules/a":{}}}')
  const check = promisify(execFile)(process.execPath, [join(process.cwd(), '.ci/check-lockfile.ts')], { cwd: folder })
  const stderr = `package-lock.json has no \`integrity\` for a.\n${remedy}\n`
  await expect(check).rejects.toMatchObject({ code: 1, stderr })
  rmSync(folder, { recursive: true })
})

test('a package needs a hash on the platforms that install it; on Linux x64, every package has one', () => {
  const packages = {
    '': {},
    'node_modules/a': { integrity: 'sha512-x' },
    'node_modules/b': { os: ['darwin'], cpu: ['arm64'] },
    'node_modules/b/node_modules/@scope/c': { os: ['darwin'], cpu: ['x64'] },
    'node_modules/@scope/d': {},
    'node_modules/e': { os: ['linux'], libc: ['musl'] },
    'node_modules/f': { inBundle: true },
  }
  expect(findUnverified(packages, { os: 'darwin', cpu: 'arm64', libc: 'musl' })).toEqual(['b', '@scope/d'])
  expect(findUnverified(packages, { os: 'linux', cpu: 'x64', libc: 'musl' })).toEqual(['@scope/d', 'e'])
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(findUnverified(lockfile.packages, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toEqual([])
})

test('every action is pinned to a commit', () => {
  const used = Object.values(texts).flatMap(text => text.match(/uses: .*/g) ?? [])
  expect(used.filter(line => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test('a pull request of this repository shows the changes of staging and prod, and deploys nothing', () => {
  expect(deploy.on).toEqual({ pull_request: null, push: { tags: ['v*'] } })
  expect(build.if).toContain('github.event.pull_request.head.repo.full_name == github.repository')
  expect({ needs: diff.needs, if: diff.if }).toEqual({ needs: 'build', if: "github.event_name == 'pull_request'" })
  expect(diff.strategy?.matrix).toEqual({ environment: ['staging', 'prod'] })
  expect(runsOf(diff)).toEqual([
    `node node_modules/aws-cdk/bin/cdk diff --method template --app cdk.out/\${{ matrix.environment }}`,
  ])
})

test('a tag deploys staging and, after its smoke test and an approval, prod; a smoke test follows each', () => {
  expect(Object.entries(deploy.jobs).map(([name, { needs }]) => [name, needs])).toEqual([
    ['build', undefined],
    ['diff', 'build'],
    ['staging', 'build'],
    ['smoke-staging', 'staging'],
    ['prod', 'smoke-staging'],
    ['smoke-prod', 'prod'],
  ])
  // Required reviewers are a setting of the environment `production`: docs/deploy.md.
  for (const [name, environment] of [
    ['staging', 'staging'],
    ['prod', 'production'],
  ] as const) {
    const job = deploy.jobs[name]
    expect({ if: job.if, environment: job.environment }).toEqual({ if: "github.event_name == 'push'", environment })
    const options = `--strict --app cdk.out/${name} --require-approval never --outputs-file outputs.json`
    expect(runsOf(job)[0]).toBe(`node node_modules/aws-cdk/bin/cdk deploy ${options}`)
    expect(runsOf(job)[1]).toContain(`['price-lookup-${name}'].BaseUrl`)
    expect(runsOf(deploy.jobs[`smoke-${name}`])).toEqual(['npm ci --ignore-scripts', 'npm run smoke -- "$BASE_URL"'])
  }
})
