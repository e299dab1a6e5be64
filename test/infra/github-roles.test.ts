import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'

const guide = readFileSync('docs/deploy.md', 'utf8')
const [names = '', , commands = ''] = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code)
const [executionPolicy = ''] = /"arn:aws:iam::\*:role\/[^"]+"/.exec(guide) ?? []

/** A role with the statements of its policies. */
interface Role {
  readonly name: string
  readonly trust: readonly { readonly Condition: object }[]
  readonly allow: readonly object[]
}

/** What GitHub's API returns of a repository, as far as it is used. */
const repository = { id: 5678, owner: { id: 1234 } }

/** Stands in for the two CLIs: prints a field of the repository, or collects each role with its policies. */
const cli = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs')
const [, file, ...args] = process.argv
if (file.endsWith('gh')) {
  if (args.slice(0, 3).join(' ') !== 'api repos/OWNER/NAME --jq') process.exit(1)
  console.log(args[3].slice(1).split('.').reduce((value, key) => value[key], ${JSON.stringify(repository)}))
} else if (args[1].endsWith('role') || args[1] === 'put-role-policy') {
  const policy = args.find(text => text.startsWith('file://')).slice(7)
  appendFileSync('roles', JSON.stringify([args[1], args[3], JSON.parse(readFileSync(policy, 'utf8'))]) + '\\n')
}
`

/** Runs the commands of the guide that create the roles, changed or as they are. */
function createRoles(replace = (text: string) => text): readonly Role[] {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-roles-'))
  try {
    for (const name of ['aws', 'gh']) {
      writeFileSync(join(folder, name), cli)
      chmodSync(join(folder, name), 0o755)
    }
    const script = `${names}${replace(commands)}`
    const PATH = `${folder}${delimiter}${process.env['PATH']}`
    execFileSync('sh', ['-euc', script], { cwd: folder, env: { PATH } })
    const lines = readFileSync(join(folder, 'roles'), 'utf8').trim().split('\n')
    const policies = lines.map(line => JSON.parse(line))
    const find = (command: string, role: string) => policies.find(([c, name]) => c === command && name === role)?.[2]
    return policies
      .filter(([command]) => command === 'create-role')
      .map(([, name, trust]) => ({ name, trust: trust.Statement, allow: find('put-role-policy', name)?.Statement }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The names of the roles that a token with a subject may assume, as IAM evaluates `StringEquals`. */
function assumableBy(subject: string, roles: readonly Role[]): readonly string[] {
  const claims = { aud: 'sts.amazonaws.com', sub: subject }
  const required = Object.fromEntries(
    Object.entries(claims).map(([claim, value]) => [`token.actions.githubusercontent.com:${claim}`, value]),
  )
  const expected = JSON.stringify({ StringEquals: required })
  return roles.filter(({ trust }) => JSON.stringify(trust[0]?.Condition) === expected).map(({ name }) => name)
}

const ends = ['pull_request', 'environment:staging', 'environment:production', 'ref:refs/heads/main']
const expected = [['github-price-lookup-diff'], ['github-price-lookup-staging'], ['github-price-lookup-prod'], []]

const [plainForm = ''] = /(?<=`)SUBJECT=[^`]+/.exec(guide) ?? []

test.each<[form: string, accepted: string, refused: string, replace?: (text: string) => string]>([
  ['with ids', 'repo:OWNER@1234/NAME@5678', 'repo:OWNER/NAME'],
  ['plain', 'repo:OWNER/NAME', 'repo:OWNER@1234/NAME@5678', text => text.replace(/^SUBJECT=.*/m, () => plainForm)],
])(
  'the roles of the guide accept the subjects of their jobs in the form %s, and no other',
  (_, accepted, refused, replace) => {
    const roles = createRoles(replace)
    expect(ends.map(end => assumableBy(`${accepted}:${end}`, roles))).toEqual(expected)
    expect(ends.map(end => assumableBy(`${refused}:${end}`, roles))).toEqual(ends.map(() => []))
  },
)

test('a pull request reads the templates of the stacks alone, and no role is one that CloudFormation may change', () => {
  const [diff, ...deploying] = createRoles()
  const ofStacks = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/price-lookup-*'
  const actions = ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate']
  expect(diff?.allow).toEqual([{ Effect: 'Allow', Action: actions, Resource: ofStacks }])
  const ofCdk = ['deploy', 'file-publishing'].map(
    role => `arn:aws:iam::111122223333:role/cdk-hnb659fds-${role}-role-111122223333-eu-west-1`,
  )
  for (const { allow } of deploying)
    expect(allow).toEqual([{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: ofCdk }])
  expect(executionPolicy).toBe('"arn:aws:iam::*:role/price-lookup-*"')
  expect([diff, ...deploying].filter(role => role?.name.startsWith('price-lookup-'))).toEqual([])
})
