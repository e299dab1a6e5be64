import { z } from 'zod'
import type { Resources } from './cloudformation.ts'

/** What a CloudFront distribution does to requests and answers. */
export interface EdgeSettings {
  /** The JavaScript of its function for viewer requests. */
  readonly functionCode: string
  /** By path pattern. The last one is for all other paths. */
  readonly behaviors: readonly { readonly pathPattern: string; readonly maxTtlMs: number }[]
  /** How long errors are cached, by status. */
  readonly errorTtlsMs: ReadonlyMap<number, number>
}

const behavior = z.object({
  PathPattern: z.string().default('*'),
  CachePolicyId: z.object({ Ref: z.string() }),
  FunctionAssociations: z.tuple([
    z.object({ FunctionARN: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('FunctionARN')]) }) }),
  ]),
})

const distribution = z.object({
  DistributionConfig: z.object({
    DefaultCacheBehavior: behavior,
    CacheBehaviors: z.array(behavior),
    CustomErrorResponses: z.array(z.object({ ErrorCode: z.number(), ErrorCachingMinTTL: z.number() })),
  }),
})

const cloudFrontFunction = z.object({ FunctionCode: z.string() })
const cachePolicy = z.object({ CachePolicyConfig: z.object({ MaxTTL: z.number() }) })

/** Parses the distribution of a template, whose behaviors share one function; undefined without one. */
export function parseEdge(resources: Resources): EdgeSettings | undefined {
  const found = Object.values(resources).find(({ Type }) => Type === 'AWS::CloudFront::Distribution')
  if (found === undefined) return undefined
  const { DistributionConfig: config } = distribution.parse(found.Properties)
  const [{ FunctionARN }] = config.DefaultCacheBehavior.FunctionAssociations
  return {
    functionCode: cloudFrontFunction.parse(resources[FunctionARN['Fn::GetAtt'][0]]?.Properties).FunctionCode,
    behaviors: [...config.CacheBehaviors, config.DefaultCacheBehavior].map(({ PathPattern, CachePolicyId }) => ({
      pathPattern: PathPattern,
      maxTtlMs: 1_000 * cachePolicy.parse(resources[CachePolicyId.Ref]?.Properties).CachePolicyConfig.MaxTTL,
    })),
    errorTtlsMs: new Map(config.CustomErrorResponses.map(one => [one.ErrorCode, 1_000 * one.ErrorCachingMinTTL])),
  }
}
