import { readFileSync } from 'node:fs'
import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { AccountStack } from '../../infra/account-stack.ts'
import { account, environments } from '../../infra/environments.ts'
import { networkFacts } from '../../lambda/networks.ts'
import repository from '../../package.json' with { type: 'json' }
import { allOf, everythingOn, synthesise, toTemplate, toVariables } from '../support/infra/synthesise.ts'

// What the commands of the runbook name exists in the stacks.
const operations = readFileSync('docs/operations.md', 'utf8')
const deploying = readFileSync('docs/deploy.md', 'utf8')
const prod = synthesise(environments.prod, 'prod')

/** Takes a section of a guide, without its heading. */
function sectionOf(guide: string, heading: string): string {
  const [, section = ''] = guide.split(`\n${heading}\n`)
  return section.split(/\n#{2,3} /)[0] ?? ''
}

test('the commands for one caller name the web ACL and its rule', () => {
  const [{ Name, Rules } = {}] = allOf(prod, 'WAFv2::WebACL')
  const section = sectionOf(operations, '### too-many-requests')
  expect(section).toContain(`--web-acl-name ${Name} `)
  expect(section).toContain(`Name=='${Name}'`)
  expect(section).toContain(`--rule-name ${Object(Rules)[0].Name} `)
})

test('both topics are tried before prod goes live, each with an alarm that notifies it', () => {
  const tried = [...sectionOf(operations, '## Alarms').matchAll(/--alarm-name (\S+) .*# (\w+)/g)]
  const alarms = allOf(prod, 'CloudWatch::Alarm')
  const topics = tried.map(([, name]) => alarms.find(({ AlarmName }) => AlarmName === name)?.['AlarmActions'])
  expect(topics).toEqual([['<Alarmspage>'], ['<Alarmsticket>']])
  expect(tried.map(([, , topic]) => topic)).toEqual(['page', 'ticket'])
})

test('the section of the canary has the outputs, and the commands that end it, move an alias or cancel a run', () => {
  const section = sectionOf(operations, '## Canary')
  for (const output of Object.keys(prod.toJSON()['Outputs']).filter(name => name !== 'BaseUrl'))
    expect(section).toContain(`\`${output}\``)
  for (const command of [
    'aws deploy stop-deployment --auto-rollback-enabled',
    'aws lambda update-alias',
    'gh run cancel',
    'npm run deploy -- -c environment=prod',
    'set `canary` to',
  ])
    expect(section.replaceAll('\n', ' ')).toContain(command)
})

test('the section for a network without an endpoint has public URLs and the command that checks a parameter', () => {
  const section = sectionOf(operations, '### chain-unavailable')
  const publicUrls = section.match(/`https:[^`]+`/g) ?? []
  const known = Object.values(networkFacts).map(({ rpcUrl }) => `\`${rpcUrl}\``)
  expect(publicUrls.length).toBeGreaterThan(1)
  expect(known).toEqual(expect.arrayContaining(publicUrls))
  expect(repository.scripts).toHaveProperty('check-rpc')
  for (const heading of ['### chain-unavailable', '### disagreement', '### head-age', '## RPC URLs', '## Agreement'])
    expect(sectionOf(operations, heading)).toContain('npm run --silent check-rpc')
})

test('the section of the head’s alarm states its threshold and the network without a limit', () => {
  const [alarm] = allOf(prod, 'CloudWatch::Alarm').filter(({ AlarmName }) => String(AlarmName).includes('head-age'))
  const section = sectionOf(operations, '### head-age')
  expect(section).toContain(`${alarm?.['Threshold']} seconds old`)
  expect(section.replaceAll('\n', ' ')).toContain('The testnet has neither limit nor alarm')
})

test.each(['Another parameter', 'An attack by spellings'])('the settings and the parameter of “%s” exist', start => {
  const [, paragraph = ''] = operations.split(`\n**${start}`)
  const named = [...(paragraph.split('\n\n')[0] ?? '').matchAll(/`([\w/-]+)`/g)].map(([, name]) => name)
  expect(named).toHaveLength(2)
  expect([...Object.keys(environments.prod), ...Object.values(toVariables('prod'))]).toEqual(
    expect.arrayContaining(named),
  )
})

/** The services of the types of resources in a template. */
const servicesOf = (template: Template) =>
  Object.values<{ Type: string }>(template.toJSON()['Resources']).map(({ Type }) => Type.split('::')[1] ?? '')

test('the execution policy covers every service of the stacks, and roles by their names only', () => {
  const [, text = ''] = /```json\n(.*?)```/s.exec(deploying) ?? []
  const { Statement }: { Statement: { Action: string | string[]; Resource: string }[] } = JSON.parse(text)
  const allowed = Statement.flatMap(({ Action }) => Action).map(action => action.split(':')[0])
  const stacks = [prod, synthesise(everythingOn)]
  const accountStack = toTemplate(app => new AccountStack(app, 'price-lookup-account', account))
  const services = [...stacks, accountStack].flatMap(servicesOf).map(service => service.toLowerCase())
  expect(allowed).toEqual(expect.arrayContaining([...new Set(services)]))
  const ofRoles = Statement.filter(({ Action }) => Action === 'iam:*')
  expect(ofRoles.map(({ Resource }) => Resource)).toEqual(['arn:aws:iam::*:role/price-lookup-*'])
  expect(deploying).toContain('--cloudformation-execution-policies arn:aws:iam::$ACCOUNT:policy/price-lookup-execution')
})

test('each question for the first stage has a command and an expectation', () => {
  const rows = sectionOf(deploying, '## What the first stage settles')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.split(/(?<!\\)\|/).slice(1, -1))
  expect(rows.length).toBeGreaterThan(1)
  for (const [question = '', command = '', expected = ''] of rows.slice(1)) {
    expect(command, question).toMatch(/`[^`]+`/)
    expect(expected.trim(), question).not.toBe('')
  }
})

test('the lines of the smoke test that the table of the first stage names exist', () => {
  const lines = [...deploying.matchAll(/, line "([^"]+)"/g)].map(([, line]) => line)
  expect(lines).not.toEqual([])
  const source = readFileSync('smoke/cache.ts', 'utf8')
  for (const line of lines) expect(source).toContain(`'${line}'`)
})
