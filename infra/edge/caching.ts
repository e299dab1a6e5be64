import { readFileSync } from 'node:fs'
import { Duration } from 'aws-cdk-lib'
import {
  AllowedMethods,
  CachePolicy,
  CacheQueryStringBehavior,
  Function as CloudFrontFunction,
  type DistributionProps,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type IOrigin,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { toHint, toUnknownSymbol } from '../../lambda/feeds/unknown-symbol.ts'
import { cors, toLink } from '../../lambda/headers.ts'
import { defaultNetwork, formatNetworks, networks } from '../../lambda/networks.ts'
import { Problem } from '../../lambda/problems.ts'

/** Creates the properties of a distribution that determine what it keeps, and for how long. */
export function createCaching(
  scope: Construct,
  origin: IOrigin,
  canonicalRequest: CloudFrontFunction,
): Pick<DistributionProps, 'defaultBehavior' | 'additionalBehaviors' | 'errorResponses'> {
  const behavior = {
    origin,
    // The function refuses all methods but three. CloudFront would do it without a problem document and CORS.
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

/** Caches a response for the time in its `Expires` or `max-age`, up to a maximum. Without either, it is not cached. */
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

/**
 * Limit of a CloudFront Function, in bytes.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
 */
const maxBytes = 10_240

/** Creates the function that makes requests canonical: `canonical-request.js`, after the registry and the problems. */
export function createCanonicalRequest(scope: Construct, environment: string): CloudFrontFunction {
  const code = toCode({
    networks: networks.map(name => ({
      name,
      symbols: feedsOf(name).map(({ symbol }) => symbol),
      // The function replaces the placeholders.
      unknownSymbol: toResponse(toUnknownSymbol(name, '{hints}')),
      hint: toHint(name, '{symbol}'),
    })),
    defaultNetwork,
    unknownNetwork: toResponse(new Problem('unknown-network', { networks: formatNetworks() })),
    unknownRoute: toResponse(new Problem('unknown-route')),
  })
  if (Buffer.byteLength(code) > maxBytes)
    throw new Error(`The function of the edge has ${Buffer.byteLength(code)} bytes. The limit is ${maxBytes}.`)
  return new CloudFrontFunction(scope, 'CanonicalRequest', {
    functionName: `price-lookup-${environment}-canonical-request`,
    code: FunctionCode.fromInline(code),
    runtime: FunctionRuntime.JS_2_0,
  })
}

function toCode(constants: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}\n`)
  return lines.join('') + readFileSync(new URL('canonical-request.js', import.meta.url), 'utf8')
}

/** Converts a problem to a response of the function. */
function toResponse({ document }: Problem): object {
  const headers = {
    'access-control-allow-origin': cors.origin,
    'access-control-expose-headers': cors.exposeHeaders,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    // The distribution serves the API at its root.
    link: toLink(''),
  }
  return {
    statusCode: document.status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    body: { encoding: 'text', data: JSON.stringify(document) },
  }
}
