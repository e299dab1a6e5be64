// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of GitHub Actions

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { networkFacts, networks } from '../../api/networks.ts'

const texts = globSync('.github/workflows/*').map(file => [basename(file), readFileSync(file, 'utf8')] as const)

const onLinux = (minutes: number) => ({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': minutes })
const readOnly = { contents: 'read' }
/** With `id-token: write`, a job gets the token that AWS exchanges for credentials. */
const withToken = { contents: 'read', 'id-token': 'write' }
const ofBranch = { group: '${{ github.workflow }}-${{ github.ref }}', 'cancel-in-progress': true }

// The steps of several jobs. No checkout leaves GitHub's token in its folder. Jobs of `check.yml` alone run the install
// scripts of packages.
const checkout = { uses: 'actions/checkout', with: { 'persist-credentials': false } }
const node = { uses: 'actions/setup-node', with: { 'node-version-file': '.node-version' } }
const install = { run: 'npm ci --ignore-scripts' }
const download = {
  uses: 'actions/download-artifact',
  // By its id: another job of the run can replace an artifact under its name.
  with: { 'artifact-ids': '${{ needs.build.outputs.artifact-id }}', path: 'cdk.out' },
}
const assume = (role: string) => ({
  uses: 'aws-actions/configure-aws-credentials',
  with: { 'aws-region': '${{ vars.AWS_REGION }}', 'role-to-assume': role },
})
const cdk = 'node node_modules/aws-cdk/bin/cdk'
const deploy = (assembly: string) => ({
  run: `${cdk} deploy --strict --app cdk.out/${assembly} --require-approval never --outputs-file outputs.json`,
})
const printBaseUrl = (stack: string) => ({
  id: 'deployed',
  run: `echo "base-url=$(node --print "require('./outputs.json')['${stack}'].BaseUrl")" >> "$GITHUB_OUTPUT"`,
})
const smoke = (baseUrl: string) => ({ run: 'npm run smoke -- "$BASE_URL"', env: { BASE_URL: baseUrl } })
const isOfRepository = 'github.event.pull_request.head.repo.full_name == github.repository'
const isOnMain = 'git merge-base --is-ancestor HEAD origin/main'

/** The workflows, but for the commits of the actions. Written by hand, so that each change of one is made twice. */
const table = {
  'check.yml': {
    name: 'check',
    on: { push: { branches: ['main'] }, pull_request: null },
    permissions: readOnly,
    concurrency: ofBranch,
    jobs: {
      check: {
        name: 'Node 24',
        ...onLinux(60),
        steps: [checkout, { ...node, with: { ...node.with, cache: 'npm' } }, { run: '.ci/run' }],
      },
      start: {
        name: 'Start on Node ${{ matrix.node }}',
        ...onLinux(15),
        strategy: { 'fail-fast': false, matrix: { node: [20, 22] } },
        steps: [
          checkout,
          { ...node, with: { 'node-version': '${{ matrix.node }}', cache: 'npm' } },
          { run: 'npm ci && npm start -- --help' },
        ],
      },
    },
  },
  'deploy.yml': {
    name: 'deploy',
    on: { pull_request: null, push: { tags: ['v*'] } },
    permissions: readOnly,
    jobs: {
      build: {
        if: `vars.AWS_REGION && (github.event_name == 'push' || ${isOfRepository})`,
        ...onLinux(15),
        outputs: { 'artifact-id': '${{ steps.upload.outputs.artifact-id }}' },
        steps: [
          { ...checkout, with: { ...checkout.with, 'fetch-depth': 0 } },
          { name: 'The commit of a tag is on main', if: "github.ref_type == 'tag'", run: isOnMain },
          node,
          install,
          { run: 'npx cdk synth --quiet -c environment=staging --output cdk.out/staging' },
          { run: 'npx cdk synth --quiet -c environment=prod --output cdk.out/prod' },
          { id: 'upload', uses: 'actions/upload-artifact', with: { path: 'cdk.out', 'retention-days': 30 } },
        ],
      },
      test: {
        if: "vars.AWS_REGION && github.event_name == 'push'",
        ...onLinux(60),
        steps: [checkout, node, install, { run: 'npm run check' }, { run: 'npm run test:clients' }],
      },
      diff: {
        if: "github.event_name == 'pull_request'",
        needs: 'build',
        ...onLinux(15),
        permissions: withToken,
        concurrency: { group: 'diff-${{ github.ref }}-${{ matrix.environment }}', 'cancel-in-progress': true },
        strategy: { 'fail-fast': false, matrix: { environment: ['staging', 'prod'] } },
        steps: [
          checkout,
          node,
          install,
          download,
          assume("${{ vars[format('AWS_DIFF_ROLE_{0}', matrix.environment)] }}"),
          { run: `${cdk} diff --method template --app cdk.out/\${{ matrix.environment }}` },
        ],
      },
      staging: {
        if: "github.event_name == 'push'",
        needs: ['build', 'test'],
        ...onLinux(45),
        environment: 'staging',
        permissions: withToken,
        concurrency: { group: 'deploy-staging', 'cancel-in-progress': false },
        outputs: { 'base-url': '${{ steps.deployed.outputs.base-url }}' },
        steps: [
          checkout,
          node,
          install,
          download,
          assume('${{ vars.AWS_DEPLOY_ROLE }}'),
          deploy('staging'),
          printBaseUrl('price-lookup-staging'),
        ],
      },
      'smoke-staging': {
        needs: 'staging',
        ...onLinux(15),
        steps: [checkout, node, install, smoke('${{ needs.staging.outputs.base-url }}')],
      },
      prod: {
        if: "github.event_name == 'push'",
        needs: ['build', 'smoke-staging'],
        ...onLinux(45),
        environment: 'production',
        permissions: withToken,
        concurrency: { group: 'deploy-prod', 'cancel-in-progress': false },
        outputs: { 'base-url': '${{ steps.deployed.outputs.base-url }}' },
        steps: [
          checkout,
          node,
          install,
          download,
          assume('${{ vars.AWS_DEPLOY_ROLE }}'),
          deploy('prod'),
          printBaseUrl('price-lookup-prod'),
        ],
      },
      'smoke-prod': {
        needs: 'prod',
        ...onLinux(15),
        steps: [checkout, node, install, smoke('${{ needs.prod.outputs.base-url }}')],
      },
    },
  },
  'registry.yml': {
    name: 'registry',
    on: { pull_request: { paths: ['lambda/feeds/registry.json'] } },
    permissions: readOnly,
    concurrency: ofBranch,
    jobs: {
      'check-rpc': {
        name: 'check-rpc ${{ matrix.network }}',
        ...onLinux(15),
        strategy: {
          'fail-fast': false,
          matrix: { include: networks.map(network => ({ network, 'rpc-url': networkFacts[network].rpcUrl })) },
        },
        steps: [
          checkout,
          node,
          install,
          { run: 'npm run --silent check-rpc -- --network ${{ matrix.network }} ${{ matrix.rpc-url }}' },
        ],
      },
    },
  },
}

test('each workflow has the triggers, jobs, rights and steps of the table, and no other', () => {
  const parsed = texts.map(([name, text]) => [name, parseYaml(text.replaceAll(/(uses: \S+)@.*/g, '$1'))])
  expect(Object.fromEntries(parsed)).toEqual(table)
})

test('each action of the workflows is pinned to one commit', () => {
  const used = texts.flatMap(([, text]) =>
    Array.from(text.matchAll(/uses: (\S+)@(.*)/g), ([, action, version]) => [action, version]),
  )
  const versions = new Map(used.map(([action, version]) => [action, version]))
  expect(used).toEqual(used.map(([action]) => [action, versions.get(action)]))
  for (const version of versions.values()) expect(version).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

/** Runs a command in a folder. Returns its exit code. */
function run(cwd: string, command: string) {
  return spawnSync('sh', ['-euc', command], { cwd, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } }).status
}

test('the step of `build` for tags fails for a commit that is not on `main`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-tags-'))
  try {
    const author = '-c user.name=Test -c user.email=test@prices.example'
    const commit = `git ${author} commit --quiet --allow-empty --message`
    const main = `git init --quiet --initial-branch main origin && cd origin && ${commit} 1 && git tag v1 && ${commit} 2`
    expect(run(folder, `${main} && git checkout --quiet -b other && ${commit} 3 && git tag v2`)).toBe(0)
    expect(run(folder, 'git clone --quiet origin clone')).toBe(0)
    const runAt = (tag: string) => run(join(folder, 'clone'), `git checkout --quiet ${tag}; ${isOnMain}`)
    expect([runAt('v1'), runAt('origin/main'), runAt('v2')]).toEqual([0, 0, 1])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
