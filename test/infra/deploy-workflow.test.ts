import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addStack } from '../../infra/add-stack.ts'
import { createApp } from '../support/infra/synthesise.ts'

const workflow = readFileSync('.github/workflows/deploy.yml', 'utf8')
/** The text of each job by its name. */
const jobs = Object.fromEntries(
  workflow.split(/^ {2}(?=[\w-]+:$)/m).map(job => [job.slice(0, job.indexOf(':')), job] as const),
)
const withToken = Object.keys(jobs).filter(name => jobs[name]?.includes('id-token: write'))

/** A folder with the assembly of `staging` as `cdk.out/staging`. */
const folder = mkdtempSync(join(tmpdir(), 'price-lookup-workflow-'))
const assembly = join(folder, 'cdk.out/staging')
using app = createApp({ environment: 'staging' })
addStack(app)
cpSync(app.synth().directory, assembly, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command of a job that refuses assets, for `staging`. Returns whether it succeeds. */
function accepts(job = ''): boolean {
  const [, command = 'exit 2'] = /run: >-\n((?: {10}.*\n)*? {10}' .*)\n/.exec(job) ?? []
  const ofStaging = command.replace(/' .*$/, "' staging").replaceAll(/\s*\n\s*/g, ' ')
  return spawnSync('bash', ['-e', '-c', ofStaging], { cwd: folder }).status === 0
}

const asset = { source: { path: 'asset', packaging: 'zip' }, destinations: {} }
const image = [{ type: 'aws:cdk:asset', data: { packaging: 'container-image', path: 'image' } }]
const anArtifact = (artifact: object) => (manifest: Json) => Object.assign(manifest['artifacts'] as Json, { artifact })
const aFile = (source: object) => (assets: Json) => Object.assign(assets['files'] as Json, { id: { ...asset, source } })

type Json = Record<string, unknown>

test.each<[what: string, name: string, forge: (content: Json) => unknown]>([
  ['a command', 'assets', aFile({ executable: ['sh', '-c', 'true'], packaging: 'zip' })],
  ['a command beside a path', 'assets', aFile({ executable: ['true'], ...asset.source })],
  ['no path', 'assets', aFile({ packaging: 'zip' })],
  [
    'a Docker image',
    'assets',
    content => Object.assign(content, { dockerImages: { id: { source: { directory: '.' } } } }),
  ],
  ['no list of Docker images', 'assets', content => Reflect.deleteProperty(content, 'dockerImages')],
  ['a Docker image in its metadata', 'metadata', content => Object.assign(content, { '/': image })],
  [
    'a Docker image in its manifest',
    'manifest',
    anArtifact({ type: 'aws:cloudformation:stack', metadata: { '/': image } }),
  ],
  [
    'a second list of assets',
    'manifest',
    anArtifact({ type: 'cdk:asset-manifest', properties: { file: 'tree.json' } }),
  ],
  ['an assembly inside', 'manifest', anArtifact({ type: 'cdk:cloud-assembly', properties: { directoryName: '.' } })],
])('every job with a token refuses an assembly with %s', (_, name, forge) => {
  const path = join(assembly, name === 'manifest' ? 'manifest.json' : `price-lookup-staging.${name}.json`)
  const original = readFileSync(path, 'utf8')
  expect(withToken.map(name => accepts(jobs[name]))).toEqual([true, true, true])
  const content: Json = JSON.parse(original)
  forge(content)
  writeFileSync(path, JSON.stringify(content))
  expect(withToken.map(name => accepts(jobs[name]))).toEqual([false, false, false])
  writeFileSync(path, original)
})

test('the build uploads before its tests run, and the jobs with a token refuse assets before they have credentials', () => {
  /** The steps of a job that begin with one of the names, in their order. */
  const steps = (job: string, names: readonly string[]) =>
    [...(jobs[job] ?? '').matchAll(/(?:run|uses|name): (.*)/g)].flatMap(
      ([, step = '']) => names.find(name => step.startsWith(name)) ?? [],
    )
  const ofBuild = ['npx cdk synth', 'actions/upload-artifact', 'npm run check && npm run test:clients']
  expect(steps('build', ofBuild)).toEqual(['npx cdk synth', ...ofBuild])
  const ofToken = ['actions/download-artifact', 'Refuse assets', 'aws-actions/configure-aws-credentials']
  expect(withToken).toEqual(['diff', 'staging', 'prod'])
  for (const job of withToken) expect(steps(job, ofToken), job).toEqual(ofToken)
})
