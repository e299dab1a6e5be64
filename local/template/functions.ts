import { existsSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import type { Resolve } from './resolve.ts'
import { type Resource, refuseOthers } from './resources.ts'
import { parseNumber, parseRecord, parseText, TemplateNotUnderstood } from './values.ts'

/** A function as the template describes it, and its bundle on this machine. */
export interface LambdaFunction {
  readonly logicalId: string
  /** What people call it: its name in the stack, `GetPrice`. */
  readonly name: string
  /** The bundle's file. */
  readonly entry: string
  /** The bundle's export that answers invocations. */
  readonly handlerName: string
  /** The runtime's name, `nodejs24.x`. */
  readonly runtime: string
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly environment: Readonly<Record<string, string>>
}

/** Parses a function, whose bundle lies in the synthesised folder. */
export function parseFunction(
  { logicalId, type, properties, metadata }: Resource,
  resolve: Resolve,
  cdkOut: string,
): LambdaFunction {
  if (type !== 'AWS::Lambda::Function') throw new TemplateNotUnderstood(logicalId, 'is not a function.')
  refuseOthers(properties, logicalId, understood)
  const [module = '', handlerName = ''] = parseText(properties['Handler'], `${logicalId} Handler`).split('.')
  const asset = parseText(metadata['aws:asset:path'], `${logicalId} Metadata aws:asset:path`)
  const entry = ['.js', '.mjs'].map(ending => resolvePath(cdkOut, asset, module + ending)).find(existsSync)
  if (entry === undefined) throw new TemplateNotUnderstood(logicalId, `there is no ${asset}/${module}.js or .mjs.`)
  return {
    logicalId,
    name: toName(metadata['aws:cdk:path']) ?? logicalId,
    entry,
    handlerName,
    runtime: parseText(properties['Runtime'], `${logicalId} Runtime`),
    timeoutMs: 1_000 * parseNumber(properties['Timeout'], `${logicalId} Timeout`, 3),
    memoryMb: parseNumber(properties['MemorySize'], `${logicalId} MemorySize`, 128),
    environment: parseEnvironment(properties['Environment'], resolve, `${logicalId} Environment`),
  }
}

function parseEnvironment(value: unknown, resolve: Resolve, where: string): Readonly<Record<string, string>> {
  const variables = Object.entries(parseRecord(parseRecord(value, where)['Variables'], where))
  return Object.fromEntries(variables.map(([name, text]) => [name, resolve(text, `${where} ${name}`)]))
}

/** Takes the construct's name out of its path in the app: `price-lookup-dev/GetPrice/Resource`. */
function toName(path: unknown): string | undefined {
  return typeof path === 'string' ? /([^/]+)\/Resource$/.exec(path)?.[1] : undefined
}

const understood = [
  'Code',
  'Environment',
  'Handler',
  'MemorySize',
  'Runtime',
  'Timeout',
  // These change no answer on one machine.
  'Architectures',
  'Description',
  'FunctionName',
  'LoggingConfig',
  'ReservedConcurrentExecutions',
  'Role',
  'Tags',
  'TracingConfig',
]
