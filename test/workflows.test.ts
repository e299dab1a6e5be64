import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { environments } from '../infra/environments.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}

interface Job {
  readonly if?: string
  readonly needs?: string
  readonly environment?: string
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly steps: readonly Step[]
}

const texts = { check: read('check'), deploy: read('deploy') }
const deploy: { on: object; permissions: object; jobs: Record<'diff' | 'staging' | 'prod', Job> } = parse(texts.deploy)
const { diff, staging, prod } = deploy.jobs

function read(name: string): string {
  return readFileSync(`.github/workflows/${name}.yml`, 'utf8')
}

const runsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? [])

test('no workflow has a stored key; the deployment gets its credentials for a token of GitHub', () => {
  for (const text of Object.values(texts)) expect(text).not.toMatch(/secrets\.|aws-(access-key-id|secret-access-key)/)
  expect(deploy.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  for (const job of [diff, staging, prod]) {
    const [credentials] = job.steps.filter(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'))
    const role = job === diff ? "vars[format('AWS_DIFF_ROLE_{0}', matrix.environment)]" : 'vars.AWS_DEPLOY_ROLE'
    expect(credentials?.with).toEqual({
      'aws-region': `\${{ vars.AWS_REGION }}`,
      'role-to-assume': `\${{ ${role} }}`,
    })
  }
})

test('every action is pinned to a commit', () => {
  const used = Object.values(texts).flatMap(text => text.match(/uses: .*/g) ?? [])
  expect(used.filter(line => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test('a pull request of this repository shows the changes of staging and prod, and deploys nothing', () => {
  expect(deploy.on).toEqual({ pull_request: null, push: { tags: ['v*'] } })
  expect(diff.if).toContain('github.event.pull_request.head.repo.full_name == github.repository')
  expect(diff.strategy?.matrix).toEqual({ environment: ['staging', 'prod'] })
  expect(runsOf(diff)).toEqual(['npm ci', `npx cdk diff --method template -c environment=\${{ matrix.environment }}`])
  expect(staging.if).toContain("github.event_name == 'push'")
})

test('a tag deploys staging and, once it has passed its smoke test and is approved, prod, each followed by a smoke test', () => {
  const runsFor = (name: keyof typeof environments) => [
    'npm ci',
    `npm run deploy -- -c environment=${name} --require-approval never --outputs-file outputs.json`,
    `npm run smoke -- "$(node --print "require('./outputs.json')['price-lookup-${name}'].BaseUrl")"`,
  ]
  expect({ environment: staging.environment, runs: runsOf(staging) }).toEqual({
    environment: 'staging',
    runs: runsFor('staging'),
  })
  // Required reviewers are a setting of the environment `production`: docs/deploy.md.
  expect({ needs: prod.needs, environment: prod.environment, runs: runsOf(prod) }).toEqual({
    needs: 'staging',
    environment: 'production',
    runs: runsFor('prod'),
  })
})
