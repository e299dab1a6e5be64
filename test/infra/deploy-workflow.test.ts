import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addStack } from '../../infra/add-stack.ts'
import { refuseAssets } from '../../infra/refuse-assets.ts'
import { createApp } from '../support/infra/synthesise.ts'

const workflow = readFileSync('.github/workflows/deploy.yml', 'utf8')
/** The text of each job by its name. */
const jobs = Object.fromEntries(
  workflow.split(/^ {2}(?=[\w-]+:$)/m).map(job => [job.slice(0, job.indexOf(':')), job] as const),
)
const withToken = Object.keys(jobs).filter(name => jobs[name]?.includes('id-token: write'))

/** The assembly of `staging`. */
const assembly = mkdtempSync(join(tmpdir(), 'price-lookup-workflow-'))
using app = createApp({ environment: 'staging' })
addStack(app)
cpSync(app.synth().directory, assembly, { recursive: true })
afterAll(() => rmSync(assembly, { recursive: true }))

const asset = { source: { path: 'asset', packaging: 'zip' }, destinations: {} }
const image = [{ type: 'aws:cdk:asset', data: { packaging: 'container-image', path: 'image' } }]
const dockerImages = { id: { source: { directory: '.' } } }
const anArtifact = (type: string, rest: object) => (manifest: Json) =>
  Object.assign(manifest['artifacts'] as Json, { artifact: { type, ...rest } })
const aFile = (source: object) => (assets: Json) => Object.assign(assets['files'] as Json, { id: { ...asset, source } })

type Json = Record<string, unknown>

test.each<[what: string, name: string, forge: (content: Json) => unknown]>([
  ['a command', 'assets', aFile({ executable: ['sh', '-c', 'true'], packaging: 'zip' })],
  ['a command beside a path', 'assets', aFile({ executable: ['true'], ...asset.source })],
  ['no path', 'assets', aFile({ packaging: 'zip' })],
  ['a Docker image', 'assets', content => Object.assign(content, { dockerImages })],
  ['no list of Docker images', 'assets', content => Reflect.deleteProperty(content, 'dockerImages')],
  ['a Docker image in its metadata', 'metadata', content => Object.assign(content, { '/': image })],
  ['a Docker image in its manifest', 'manifest', anArtifact('aws:cloudformation:stack', { metadata: { '/': image } })],
  ['a second list of assets', 'manifest', anArtifact('cdk:asset-manifest', { properties: { file: 'tree.json' } })],
  ['an assembly inside', 'manifest', anArtifact('cdk:cloud-assembly', { properties: { directoryName: '.' } })],
])('an assembly with %s is refused', (_, name, forge) => {
  const path = join(assembly, name === 'manifest' ? 'manifest.json' : `price-lookup-staging.${name}.json`)
  const original = readFileSync(path, 'utf8')
  refuseAssets(assembly, 'staging')
  const content: Json = JSON.parse(original)
  forge(content)
  writeFileSync(path, JSON.stringify(content))
  expect(() => refuseAssets(assembly, 'staging')).toThrow()
  writeFileSync(path, original)
})

test('the jobs with a token deploy what `build` uploaded, and refuse assets before they have credentials', () => {
  expect(withToken).toEqual(['diff', 'staging', 'prod'])
  expect(workflow).toMatch(
    /- &download\n +uses: actions\/download-artifact@.*\n +with:\n( +#.*\n)? +artifact-ids: \$\{\{ needs\.build\.outputs\.artifact-id \}\}/,
  )
  const parts = [
    /^ {4}needs: (build|\[build, .*\])$/m,
    /^ {6}- [&*]download$/m,
    /run: node infra\/refuse-assets\.ts/,
    /uses: aws-actions\/configure-aws-credentials/,
  ]
  for (const name of withToken) {
    const positions = parts.map(part => (jobs[name] ?? '').search(part))
    expect(positions, name).not.toContain(-1)
    expect(positions, name).toEqual(positions.toSorted((a, b) => a - b))
  }
})
