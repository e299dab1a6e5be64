import { z } from 'zod'
import { assertSupported, findIds, type Resources, reference } from './cloudformation.ts'

/** What a CloudFront distribution does to requests and responses. */
export interface EdgeSettings {
  /** The JavaScript of its function for viewer requests. */
  readonly functionCode: string
  /** By the beginning of the path. The last one is for all other paths. */
  readonly behaviors: readonly { readonly pathPrefix: string; readonly maxTtlMs: number }[]
}

/** Parses the distribution of a template, whose behaviors share one function; undefined without one. */
export function parseEdge(resources: Resources): EdgeSettings | undefined {
  const [id] = findIds('AWS::CloudFront::Distribution', resources)
  if (id === undefined) return undefined
  const { DefaultCacheBehavior, CacheBehaviors } = assertSupported(distribution, id, resources).DistributionConfig
  const [{ FunctionARN }] = DefaultCacheBehavior.FunctionAssociations
  const behaviors = [...CacheBehaviors, { ...DefaultCacheBehavior, PathPattern: '*' }]
  return {
    functionCode: assertSupported(cloudFrontFunction, FunctionARN['Fn::GetAtt'][0], resources).FunctionCode,
    behaviors: behaviors.map(({ PathPattern, CachePolicyId }) => ({
      pathPrefix: PathPattern.slice(0, -1),
      maxTtlMs: 1_000 * assertSupported(cachePolicy, CachePolicyId, resources).CachePolicyConfig.MaxTTL,
    })),
  }
}

const behavior = z.object({
  CachePolicyId: reference,
  FunctionAssociations: z.tuple([
    z.object({ FunctionARN: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('FunctionARN')]) }) }),
  ]),
})

const distribution = z.object({
  DistributionConfig: z.object({
    DefaultCacheBehavior: behavior,
    CacheBehaviors: z.array(behavior.extend({ PathPattern: z.string().regex(/^[^*]*\*$/) })),
    // Errors are cached by their headers.
    CustomErrorResponses: z.array(z.object({ ErrorCachingMinTTL: z.literal(0) })),
  }),
})

const cloudFrontFunction = z.object({ FunctionCode: z.string() })
const cachePolicy = z.object({ CachePolicyConfig: z.object({ MaxTTL: z.number() }) })
