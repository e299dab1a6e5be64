import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, type Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ArtifactMetadataEntryType } from 'aws-cdk-lib/cloud-assembly-schema'
import { ofEachNetwork } from '../../../api/networks.ts'
import { type CustomDomain, type Environment, environments } from '../../../infra/environments.ts'
import { PriceLookupStack } from '../../../infra/price-lookup-stack.ts'

/** A custom domain. */
export const domain: CustomDomain = {
  name: 'prices.example',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/00000000-0000-4000-8000-000000000000',
  hostedZone: 'Z0000000000000000000',
}

/** Removes the settings of an environment that only its owner can add, so that no test depends on them. */
export function withoutOwner(environment: Environment): Environment {
  const alarmEmails = { page: undefined, ticket: undefined }
  return { ...environment, account: undefined, region: undefined, alarmEmails, domain: undefined, rpcUrls: {} }
}

export const prod = withoutOwner(environments.prod)

/** `prod` with every option that an environment has. */
export const everythingOn: Environment = {
  ...prod,
  account: '000000000000',
  region: 'us-east-1',
  reservedConcurrency: 10,
  alarmEmails: { page: 'oncall@prices.example', ticket: 'team@prices.example' },
  domain,
  rpcUrls: {
    ...ofEachNetwork(network => ({ name: `/price-lookup/test/rpc-urls/${network}-secret`, kmsKeyArn: undefined })),
    mainnet: { name: '/price-lookup/test/rpc-urls/own-key', kmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/own' },
  },
}

/**
 * Creates an app as `cdk synth` does, but without the bundles, and without CDK's validation unless a test is about it.
 *
 * @returns an app whose disposal removes its folder
 */
export function createApp({ environment, validates = false }: { environment?: string; validates?: boolean } = {}) {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'))
  const outdir = mkdtempSync(join(tmpdir(), 'price-lookup-infra-'))
  const app = new App({
    context: { ...context, environment, 'aws:cdk:bundling-stacks': [] },
    outdir,
    builtinCloudFormationValidation: validates,
    analyticsReporting: false,
    treeMetadata: false,
  })
  return Object.assign(app, { [Symbol.dispose]: () => rmSync(outdir, { recursive: true }) })
}

const templates = new Map<string, Template>()

/** Synthesises the stack of an environment, once. */
export function synthesise(environment: Environment, name = 'test'): Template {
  const key = JSON.stringify([name, environment])
  const template =
    templates.get(key) ?? toTemplate(app => new PriceLookupStack(app, `price-lookup-${name}`, { name, ...environment }))
  templates.set(key, template)
  return template
}

/** Synthesises a stack of an app of its own. */
export function toTemplate(create: (app: App) => Stack): Template {
  using app = createApp()
  return Template.fromStack(create(app))
}

/** The texts of the warnings of a stack. */
export function warningsOf(stack: Stack): readonly string[] {
  const warnings = stack.node.metadata.filter(({ type }) => type === ArtifactMetadataEntryType.WARN)
  return warnings.map(({ data: text }) => String(text).replace(/ \[ack: .*\]$/, ''))
}

/** The outputs by name, in readable form (see {@link toReadable}). */
export function outputsOf(template: Template): Record<string, { readonly Value: string }> {
  return toReadable(template.toJSON()['Outputs']) as Record<string, { Value: string }>
}

/** The types of all resources. */
export function typesOf(template: Template): ReadonlySet<string> {
  const resources: { Type: string }[] = Object.values(template.toJSON()['Resources'])
  return new Set(resources.map(({ Type }) => Type))
}

/** The properties of every resource of a type by logical id, in readable form (see {@link toReadable}). */
export function resourcesOf<Properties = unknown>(template: Template, type: string): Record<string, Properties> {
  const resources = Object.entries(template.findResources(`AWS::${type}`))
  return Object.fromEntries(
    resources.map(([id, { Properties = {} }]) => [withoutHash(id), toReadable(Properties) as Properties]),
  )
}

/** A statement of a policy. */
interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: string | readonly string[]
}

/** The statements of the policy of a function's role. */
export function statementsOf(template: Template, id: string): readonly Statement[] {
  const policies = resourcesOf<{ PolicyDocument: { Statement: Statement[] } }>(template, 'IAM::Policy')
  return policies[`${id}RoleDefaultPolicy`]?.PolicyDocument.Statement as Statement[]
}

/** The resources for which every resource of a type waits, without the hashes of their ids. */
export function dependenciesOf(template: Template, type: string): Record<string, readonly string[]> {
  const resources = Object.entries(template.findResources(`AWS::${type}`))
  return Object.fromEntries(
    resources.map(([id, { DependsOn = [] }]) => [withoutHash(id), DependsOn.map(withoutHash)] as const),
  )
}

/** The properties of every resource of a type, in readable form. */
export function allOf<Properties = Record<string, unknown>>(template: Template, type: string): Properties[] {
  return Object.values(resourcesOf<Properties>(template, type))
}

/** Replaces intrinsic functions by references in angle brackets: `<Topic>`, `<Topic.Arn>`. */
export function toReadable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toReadable)
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, ...rest } = value as Record<string, unknown>
  if (typeof ref === 'string') return `<${withoutHash(ref)}>`
  if (Array.isArray(attribute)) return `<${withoutHash(attribute[0])}.${attribute[1]}>`
  if (Array.isArray(join)) return join[1].map(toReadable).join(join[0])
  return Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, toReadable(part)]))
}

/** A logical id without CDK's hash of its path, and of its content where it has one. */
function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}([0-9a-f]{32})?$/, '')
}
