import { type Resource, refuseOthers } from './resources.ts'
import { parseFlag, parseList, parseNumber, parseRecord, parseText, TemplateNotUnderstood } from './values.ts'

/** How the stage treats one method. */
export interface MethodSettings {
  /** How long an answer is kept; undefined where caching is off. */
  readonly cacheTtlMs: number | undefined
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number }
}

/** The stage's settings, each for one method, or for all that have none of their own. */
export type StageSettings = ReadonlyMap<string, MethodSettings>

/** Parses the `MethodSettings` of a stage. */
export function parseStageSettings({ logicalId, properties }: Resource): StageSettings {
  const where = `${logicalId} MethodSettings`
  return new Map(
    parseList(properties['MethodSettings'], where).map(entry => {
      const settings = parseRecord(entry, where)
      refuseOthers(settings, where, understood)
      const resourcePath = parseText(settings['ResourcePath'], `${where} ResourcePath`)
      const httpMethod = parseText(settings['HttpMethod'], `${where} HttpMethod`)
      return [`${resourcePath} ${httpMethod}`, parseSettings(settings, `${where} ${resourcePath} ${httpMethod}`)]
    }),
  )
}

/**
 * Finds the settings of one method: its own entry, or else the one for all.
 *
 * An entry inherits nothing: what it leaves out has API Gateway's default, whatever the entry for all says.
 */
export function findMethodSettings(
  settings: StageSettings,
  { resourcePath, httpMethod }: { readonly resourcePath: string; readonly httpMethod: string },
): MethodSettings {
  return settings.get(toKey(resourcePath, httpMethod)) ?? settings.get(forAll) ?? parseSettings({}, 'default')
}

/** @throws {TemplateNotUnderstood} when an entry is for a method that the API does not have: CloudFormation refuses it. */
export function refuseSettingsOfNoMethod(
  settings: StageSettings,
  methods: readonly { readonly resourcePath: string; readonly httpMethod: string }[],
  { logicalId }: Resource,
): void {
  const known = [forAll, ...methods.map(({ resourcePath, httpMethod }) => toKey(resourcePath, httpMethod))]
  const orphan = [...settings.keys()].find(key => !known.includes(key))
  if (orphan !== undefined) {
    throw new TemplateNotUnderstood(`${logicalId} MethodSettings`, `the API has no method ${orphan}.`)
  }
}

function parseSettings(settings: Readonly<Record<string, unknown>>, where: string): MethodSettings {
  const cacheTtlMs = 1_000 * parseNumber(settings['CacheTtlInSeconds'], where, 300)
  const caching = parseFlag(settings['CachingEnabled'], where) && cacheTtlMs > 0
  return {
    cacheTtlMs: caching ? cacheTtlMs : undefined,
    throttling: {
      requestsPerSecond: parseNumber(settings['ThrottlingRateLimit'], where, 10_000),
      burst: parseNumber(settings['ThrottlingBurstLimit'], where, 5_000),
    },
  }
}

const forAll = '/* *'

/** The settings name a path as a JSON pointer does: with `~1` for a slash. */
function toKey(resourcePath: string, httpMethod: string): string {
  return `/${resourcePath.replaceAll('/', '~1')} ${httpMethod}`
}

const understood = [
  'CachingEnabled',
  'CacheTtlInSeconds',
  'HttpMethod',
  'ResourcePath',
  'ThrottlingBurstLimit',
  'ThrottlingRateLimit',
  // These change no answer.
  'CacheDataEncrypted',
  'DataTraceEnabled',
  'LoggingLevel',
  'MetricsEnabled',
]
