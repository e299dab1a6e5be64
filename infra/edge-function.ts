import { readFileSync } from 'node:fs'
import { Function as CloudFrontFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { cors } from '../lambda/cors.ts'
import { feedsOf } from '../lambda/feeds/registry.ts'
import { toHint, toUnknownSymbol } from '../lambda/feeds/unknown-symbol.ts'
import { defaultNetwork, formatNetworks, networks } from '../lambda/networks.ts'
import { Problem } from '../lambda/problems.ts'

/** Limit of a CloudFront Function, in bytes. @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const maxBytes = 10_240

/** Creates the function that makes requests canonical: `edge/canonical-request.js` with the registry and the problems in it. */
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
  return lines.join('') + readFileSync(new URL('edge/canonical-request.js', import.meta.url), 'utf8')
}

/** Converts a problem to a response of the function. */
function toResponse({ document }: Problem): object {
  const headers = {
    'access-control-allow-origin': cors.origin,
    'access-control-expose-headers': cors.exposeHeaders,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
  }
  return {
    statusCode: document.status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    body: { encoding: 'text', data: JSON.stringify(document) },
  }
}
