import { Duration } from 'aws-cdk-lib'
import {
  AllowedMethods,
  CachePolicy,
  CacheQueryStringBehavior,
  type Function as CloudFrontFunction,
  type DistributionProps,
  FunctionEventType,
  type IOrigin,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'

/** The properties of a distribution that determine what it keeps, and for how long. */
export function toCaching(
  scope: Construct,
  origin: IOrigin,
  canonicalRequest: CloudFrontFunction,
): Pick<DistributionProps, 'defaultBehavior' | 'additionalBehaviors' | 'errorResponses'> {
  const behavior = {
    origin,
    // The function answers all methods but three. CloudFront's own refusal would be no problem document, and without CORS.
    allowedMethods: AllowedMethods.ALLOW_ALL,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    functionAssociations: [{ function: canonicalRequest, eventType: FunctionEventType.VIEWER_REQUEST }],
  }
  return {
    defaultBehavior: { ...behavior, cachePolicy: createCachePolicy(scope, 'Documents', Duration.minutes(5)) },
    additionalBehaviors: {
      '/price*': { ...behavior, cachePolicy: createCachePolicy(scope, 'Prices', Duration.seconds(10)) },
    },
    errorResponses,
  }
}

/** Keeps an answer as long as its `Expires` or `max-age` says, up to a maximum, and without one not at all. */
function createCachePolicy(scope: Construct, id: string, maxTtl: Duration): CachePolicy {
  return new CachePolicy(scope, id, {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl,
    queryStringBehavior: CacheQueryStringBehavior.allowList('network'),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  })
}

/**
 * No error is cached. CloudFront's default is 10 s for some, although they have `no-store`.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
const errorResponses = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map(httpStatus => ({
  httpStatus,
  ttl: Duration.seconds(0),
}))
