import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Network, networkFacts, networks } from '../../lambda/networks.ts'

/**
 * Reads the API's description, and returns it as compact JSON.
 *
 * It is ASCII, so that no encoding in CloudFormation or API Gateway can change it.
 */
export function readOpenApiDocument(): string {
  return JSON.stringify(readDescription()).replaceAll(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Reads `openapi.yaml`, and enumerates the networks in it. */
export function readDescription(): unknown {
  return parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'), (_, value: unknown) =>
    enumerate(value),
  )
}

/** Replaces `x-network`, in a schema of a network's slug, name or chain id, by the values of all networks. */
function enumerate(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('x-network' in schema)) return schema
  const { 'x-network': fact, ...others } = schema
  return { ...others, enum: networks.map(network => toFacts(network).get(fact)) }
}

function toFacts(network: Network): ReadonlyMap<unknown, string | number> {
  const { chain } = networkFacts[network]
  return new Map<unknown, string | number>([
    ['slug', network],
    ['name', chain.name],
    ['chainId', chain.id],
  ])
}
