import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { networkFacts, networks } from '../../api/networks.ts'
import cdk from '../../cdk.json' with { type: 'json' }
import { AccountStack } from '../../infra/account-stack.ts'
import { account, environments } from '../../infra/environments.ts'
import { maxRpcUrls } from '../../lambda/endpoints.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import repository from '../../package.json' with { type: 'json' }
import { allOf, synthesise, toTemplate } from '../support/infra/synthesise.ts'

const prod = synthesise(environments.prod, 'prod')
const ofAccount = toTemplate(app => new AccountStack(app, 'price-lookup-account', account))
const workflows = ['deploy', 'registry'].map(name => `.github/workflows/${name}.yml`)
const files = ['README.md', 'docs/operations.md', 'docs/running.md', 'docs/deploy.md', ...workflows]
// `NETWORK` is a variable of the commands: each public URL with it is checked as that of the mainnet.
const guides = files.map(file => readFileSync(file, 'utf8').replaceAll('//rpc.$NETWORK.', '//rpc.mainnet.')).join('\n')
const count = (pattern: RegExp) => guides.match(pattern)?.length ?? 0

const outputs = Object.keys(prod.toJSON()['Outputs'])
const known = [...Object.keys(environments), 'account']
const webAcls = allOf<{ Name: string; VisibilityConfig: { MetricName: string } }>(prod, 'WAFv2::WebACL')
const alarms = allOf<{ AlarmName: string; AlarmDescription: string; AlarmActions: string[] }>(prod, 'CloudWatch::Alarm')
const topicNames = allOf<{ TopicName: string }>(prod, 'SNS::Topic').map(({ TopicName }) => TopicName)
const [dashboard] = allOf<{ DashboardBody: string }>(prod, 'CloudWatch::Dashboard')
const tables = Array.from(`${dashboard?.DashboardBody}`.matchAll(/"title":"([^"]+)"/g), ([, title]) => title)
const alarmNames = alarms.map(({ AlarmName }) => AlarmName)

test.each<[what: string, pattern: RegExp, existing: readonly (string | undefined)[]]>([
  ['script', /npm run (?:--silent )?([\w:-]+)/g, Object.keys(repository.scripts)],
  ['environment', /-c environment=([a-z]+)/g, known],
  ['stack', /--stack-name (\S+)/g, [...known.map(name => `price-lookup-${name}`), cdk.toolkitStackName]],
  ['alarm', /--alarm-names? ([\w-]+)/g, [...alarmNames, ...alarmNames.map(name => name.replace('prod', 'staging'))]],
  ['output', /OutputKey=='(\w+)'|`(\w+(?:Function|Version))`/g, outputs],
  ['base URL of a deployment', /\['price-lookup-\w+'\]\.(\w+)/g, outputs.filter(name => name === 'BaseUrl')],
  ['web ACL', /WebACLs\[\?Name=='([\w-]+)'/g, webAcls.map(({ Name }) => Name)],
  ['metric of a web ACL', /--rule-metric-name (\S+)/g, webAcls.map(acl => acl.VisibilityConfig.MetricName)],
  ['prefix of topics', /TopicArn, ':([\w-]+-)URGENCY'/g, topicNames.map(name => name.replace(/(page|ticket)$/, ''))],
  ['API', /items\[\?name=='([\w-]+)'/g, allOf<{ Name: string }>(prod, 'ApiGateway::RestApi').map(({ Name }) => Name)],
  ['option of `aws logs tail`', /(?<=aws logs tail [^'"`]*)(--[\w-]+)/g, ['--since', '--filter-pattern']],
  [
    'policy of CloudFormation',
    /aws iam create-policy(?:-version)? [^`]*?file:\/\/(\S+)/g,
    ['infra/execution-policy.json'].filter(file => existsSync(file)),
  ],
  ['table of the dashboard', /\| table \*(.+?)\*/g, tables],
  ['public URL', /(https:\/\/rpc\.[\w.-]+)/g, Object.values(networkFacts).map(({ rpcUrl }) => rpcUrl)],
])('every %s that a command of the guides or of the workflows names exists', (_, pattern, existing) => {
  const named = [...guides.matchAll(pattern)].map(([, first, second = first]) => second)
  expect(named).not.toEqual([])
  expect(existing).toEqual(expect.arrayContaining(named))
})

interface MethodSetting {
  readonly ResourcePath: string
  readonly HttpMethod: string
  readonly ThrottlingRateLimit: number
}

/** The types of the resources by logical id. CloudFormation names a resource without a name after its id. */
const resources = [prod, ofAccount].flatMap(template =>
  Object.entries<{ Type: string }>(template.toJSON()['Resources']).map(([id, { Type }]) => ({ id, type: Type })),
)

test('every command that looks up a resource by its type and the beginning of its logical id finds exactly one', () => {
  // `describe-stack-resources` returns at most 100 resources, and `prod` has more.
  expect(guides.match(/describe-stack-resources/g)).toBeNull()
  const byId = /ResourceType=='([\w:]+)'(?: &&\s+starts_with\(LogicalResourceId, '(\w+)'\))?\]/g
  const rules = guides.matchAll(/events list-rules --name-prefix price-lookup-prod-(\w+)/g)
  const lookedUp = [
    ...Array.from(guides.matchAll(byId), ([, type, beginning = '']) => ({ type, beginning })),
    ...Array.from(rules, ([, beginning = '']) => ({ type: 'AWS::Events::Rule', beginning })),
  ]
  expect(lookedUp).toHaveLength(count(/cloudformation list-stack-resources|events list-rules/g))
  const found = lookedUp.map(({ type, beginning }) => ({
    type,
    beginning,
    found: resources.filter(resource => resource.type === type && resource.id.startsWith(beginning)).length,
  }))
  expect(found).not.toEqual([])
  expect(found.filter(lookup => lookup.found !== 1)).toEqual([])
})

// Those of the request log that are below `message` have a test of their own, in `log-metrics.test.ts`.
test('every other field that a pattern of the guides selects is a text of a log, and is compared with a text', () => {
  const [stage] = allOf<{ AccessLogSetting: { Format: string } }>(prod, 'ApiGateway::Stage')
  const ofAccessLog = Object.keys(JSON.parse(String(stage?.AccessLogSetting.Format)))
  const ofLambda = ['level', 'requestId', 'type', 'record.status']
  const patterns = Array.from(guides.matchAll(/'\{ (\(?\$.+?) \}'/g), ([, pattern = '']) => pattern)
  const compared = patterns.flatMap(pattern =>
    Array.from(pattern.matchAll(/\$\.(?!message\.)([\w.]+) \S+ ([^\s)]+)/g), ([, field, value]) => ({ field, value })),
  )
  expect(compared).not.toEqual([])
  const known = [...ofAccessLog, ...ofLambda]
  // A value between percent signs is a regular expression. An operator such as `>` compares numbers alone.
  const isRight = ({ field, value }: (typeof compared)[number]) =>
    known.includes(String(field)) && /^(".*"|%.*%)$/.test(String(value))
  expect(compared.filter(comparison => !isRight(comparison))).toEqual([])
})

test('each command that changes the termination protection of a stack removes it', () => {
  expect(count(/update-termination-protection/g)).toBeGreaterThan(0)
  expect(count(/update-termination-protection[\s\\]+--no-enable-termination-protection /g)).toBe(
    count(/update-termination-protection/g),
  )
})

test('no command stores RPC URLs unless the command before it succeeded', () => {
  expect(count(/aws ssm put-parameter/g)).toBeGreaterThan(0)
  expect(count(/&&[\s\\]+aws ssm put-parameter/g)).toBe(count(/aws ssm put-parameter/g))
})

test('the old key is revoked only if both functions read with the new URLs', () => {
  const sentences = guides.replaceAll(/\s+/g, ' ').match(/[^.]*\brevoke the old key/gi) ?? []
  expect(sentences).not.toEqual([])
  const condition = /^ If each of the two routes has a line .*`ssmMs`, and no line has `parameter-store`, revoke/
  for (const sentence of sentences) expect(sentence).toMatch(condition)
})

/** The shell block of a guide that contains a text. */
const blockWith = (part: string) =>
  Array.from(guides.matchAll(/^( *)```sh\n(.*?\n)\1```$/gms), ([, , code = '']) => code).find(code =>
    code.includes(part),
  )

test('the command that replaces the URLs of a parameter stores none that the functions refuse', () => {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-urls-'))
  const store = (urls: readonly string[]) => {
    writeFileSync(join(folder, 'urls.txt'), urls.join('\n'))
    return spawnSync('sh', ['-c', `aws() { echo stored; }\n${blockWith('--overwrite --name $NAME')}`], { cwd: folder })
  }
  const urls = Array.from({ length: maxRpcUrls + 1 }, (_, index) => `https://${index}.example/key`)
  try {
    expect(urls.map((_, index) => `${store(urls.slice(0, index)).stdout}`)).toEqual([
      '',
      ...Array(maxRpcUrls).fill('stored\n'),
    ])
    expect(`${store(urls).stdout}`).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the command that searches the request log prints 50 lines, or as many as `N` states', () => {
  const aws = 'aws() { case "$2" in tail) seq 99 ;; esac; }'
  const search = (command: string) =>
    spawnSync('sh', ['-c', `${aws}\n${blockWith('lines() {')}\n${command}`], { encoding: 'utf8' }).stdout.split('\n')
  expect([search('lines ID').length, search('N=7; lines ID').length]).toEqual([50 + 1, 7 + 1])
  expect(search('lines ID').at(-2)).toBe('99')
})

test('the command that lowers the throttle sets the limit of every method, and the former limits are those of prod', () => {
  const [stage] = allOf<{ MethodSettings: readonly MethodSetting[] }>(prod, 'ApiGateway::Stage')
  const settings = stage?.MethodSettings ?? []
  const code = String(blockWith('throttling/rateLimit'))
  const paths = Array.from(code.matchAll(/path='?(\S+)\/throttling\/rateLimit/g), ([, path]) => path)
  const expected = settings.map(({ ResourcePath, HttpMethod }) => `${ResourcePath}/${HttpMethod}`.replace('//', '/'))
  expect(new Set(paths)).toEqual(new Set(expected))
  const [others, prices] = settings.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit)
  expect(guides).toContain(`in \`prod\` \`PRICES=${prices} OTHERS=${others}\``)
})

test('no command writes RPC URLs into a file that other users can read', () => {
  expect(count(/ > urls\.txt/g)).toBeGreaterThan(0)
  // A file that exists would keep its mode, so it is removed first.
  expect(count(/\(umask 077 && rm -f urls\.txt &&[^()]+ > urls\.txt\)/g)).toBe(count(/ > urls\.txt/g))
})

test('the table of alarms has a row for each alarm, with the section that its email names and its topic, and no other', () => {
  const matches = [...guides.matchAll(/^\| \[([\w-]+)\]\((#[\w-]+)\)(?:`(-\w+)`)? \| (page|ticket) \| /gm)]
  const rows = new Map(matches.map(([, name, section, network = '', topic]) => [name + network, `${section} ${topic}`]))
  expect(matches).toHaveLength(rows.size)
  // A row of `-NETWORK` is that of every network without a row of its own.
  const ofAnyNetwork = new RegExp(`-(${networks.join('|')})$`)
  const found = alarms.map(({ AlarmName, AlarmDescription, AlarmActions }) => {
    const name = AlarmName.replace('price-lookup-prod-', '')
    const row = rows.has(name) ? name : name.replace(ofAnyNetwork, '-NETWORK')
    const section = / Runbook: docs\/operations\.md(#[a-z-]+)$/.exec(AlarmDescription)?.[1]
    return [row, `${section} ${AlarmActions.join().replace(/<Alarms(.*)>/, '$1')}`] as const
  })
  expect(new Map(found)).toEqual(rows)
})

interface AlarmMetrics {
  readonly Metrics?: readonly { readonly MetricStat?: unknown }[]
}

test('the costs have the numbers of metrics that alarms read, and of keys that the cache has', () => {
  const [ofProd, ofDev] = [prod, synthesise(environments.dev, 'dev')].map(template =>
    allOf<AlarmMetrics>(template, 'CloudWatch::Alarm')
      .map(({ Metrics = [{ MetricStat: 1 }] }) => Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length)
      .reduce((sum, metrics) => sum + metrics),
  )
  const numbers = Array.from(guides.matchAll(/(\d+) metrics of alarms/g), ([, metrics]) => Number(metrics))
  expect(numbers).toEqual([ofProd, ofDev])
  const keys = networks.map(network => feedsOf(network).length + 1).reduce((sum, ofNetwork) => sum + ofNetwork)
  expect(guides).toContain(`the cache's ${keys} keys`)
})

test('the sums of the costs are those of their parts, and of the environments', () => {
  const [, table = ''] = /^(\| \$ a month of `prod`.*\n(?:\|.*\n)+)/m.exec(guides) ?? []
  const lines = table.replaceAll('*', '').trim().split('\n')
  // The first two lines are the header, and the last one is the sum.
  const costs = lines.slice(2).map(line => line.split('|').slice(2, -1).map(Number))
  const sums = costs.pop()
  const added = sums?.map((_, column) => toCents(...costs.map(cells => cells[column] ?? Number.NaN)))
  expect(added).toEqual(sums?.map(sum => toCents(sum)))
  expect(added).toHaveLength(4)
  const costOf = (before: string) => Number(new RegExp(`${before} (\\d+\\.\\d\\d)`).exec(guides)?.[1])
  const others = [costOf('`staging` costs'), costOf('`dev`')]
  expect(toCents(costOf('The three environments cost'))).toBe(toCents(sums?.[2] ?? Number.NaN, ...others))
})

/** Adds dollars, without the rounding of doubles. */
function toCents(...dollars: readonly number[]): number {
  return Math.round(100 * dollars.reduce((sum, dollar) => sum + dollar))
}

test('an administrator has the Node of the functions, and installs without scripts', () => {
  const major = readFileSync('.node-version', 'utf8').split('.')[0]
  for (const guide of ['docs/operations.md', 'docs/deploy.md']) {
    const text = readFileSync(guide, 'utf8')
    expect(new Set(text.match(/npm ci(?: --[\w-]+)*/g)), guide).toEqual(new Set(['npm ci --ignore-scripts']))
    expect(text.replaceAll(/\s+/g, ' '), guide).toContain(`Node ${major} ([.node-version](../.node-version))`)
  }
})
