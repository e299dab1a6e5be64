import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import cdk from '../../cdk.json' with { type: 'json' }

const guide = readFileSync('docs/deploy.md', 'utf8')
const blocks = Array.from(guide.matchAll(/```sh\n(.*?)```/gs), ([, code = '']) => code)
const names = blocks.find(code => code.startsWith('export ACCOUNT='))
const commands = blocks.find(code => code.includes('create_role() {'))
const [plainForm] = /(?<=`)SUBJECT=[^`]+/.exec(guide) as RegExpExecArray

/**
 * Shell functions in place of the two CLIs. They store each policy as `COMMAND ROLE`, and print the ids of the
 * repository and of its owner.
 */
const clis = `
aws() {
  for last; do :; done
  if [ "$3" = --role-name ]; then cp "\${last#file://}" "$2 $4"; fi
}
gh() {
  case "$4" in .owner.id) echo 1234 ;; .id) echo 5678 ;; esac
}
`

/** Runs the commands of the guide that create the roles. Returns the statements of each file that is left. */
function createRoles(script: string): ReadonlyMap<string, object> {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-roles-'))
  try {
    execFileSync('sh', ['-euc', `${clis}${names}${script}`], { cwd: folder, env: { PATH: process.env['PATH'] } })
    return new Map(
      readdirSync(folder).map(name => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')).Statement]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const github = 'token.actions.githubusercontent.com'
const audience = 'sts.amazonaws.com'
const ofStacks = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/price-lookup-*'
const qualifier = cdk.context['@aws-cdk/core:bootstrapQualifier']
const ofCdk = ['deploy', 'file-publishing'].map(
  role => `arn:aws:iam::111122223333:role/cdk-${qualifier}-${role}-role-111122223333-eu-west-1`,
)

test.each([
  ['with ids', 'repo:OWNER@1234/NAME@5678', String(commands)],
  ['plain', 'repo:OWNER/NAME', String(commands).replace(/^SUBJECT=.*/m, () => String(plainForm))],
])(
  'each role of the guide accepts the subject of one job, in the form %s, and may do what that needs',
  (_, repository, script) => {
    const trust = (end: string) => [
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${github}` },
        Condition: {
          StringEquals: { [`${github}:aud`]: audience, [`${github}:sub`]: `${repository}:${end}` },
        },
      },
    ]
    const allow = (Action: unknown, Resource: unknown) => [{ Effect: 'Allow', Action, Resource }]
    // No name of these roles begins with `price-lookup-`: CloudFormation may change roles with such names.
    expect(Object.fromEntries(createRoles(script))).toEqual({
      'create-role github-price-lookup-diff': trust('pull_request'),
      'create-role github-price-lookup-staging': trust('environment:staging'),
      'create-role github-price-lookup-prod': trust('environment:production'),
      'put-role-policy github-price-lookup-diff': allow(
        ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
        ofStacks,
      ),
      'put-role-policy github-price-lookup-staging': allow('sts:AssumeRole', ofCdk),
      'put-role-policy github-price-lookup-prod': allow('sts:AssumeRole', ofCdk),
    })
  },
)

test('the account trusts the tokens of the issuer and with the audience that each role requires', () => {
  const provider = /create-open-id-connect-provider --url https:\/\/(\S+)[\s\\]+--client-id-list (\S+)/g
  const created = Array.from(guide.matchAll(provider), ([, issuer, clientId]) => [issuer, clientId])
  expect(created).toEqual([[github, audience]])
})
