import { readFileSync } from 'node:fs'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import type { Environment } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'

/** Everything that an environment can have. */
export const everythingOn: Environment = {
  cache: true,
  throttling: { requestsPerSecond: 20, burst: 40 },
  memoryMb: 1_024,
  reservedConcurrency: 10,
  logRetentionDays: 365,
  keepLogs: true,
  terminationProtection: true,
  alarmEmail: 'oncall@prices.example',
  domain: {
    name: 'prices.example',
    certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/00000000-0000-4000-8000-000000000000',
  },
  maxRequestsPerAddress: 1_000,
  networks: {
    mainnet: {
      rpcUrls: { name: '/secrets/rpc', kmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/mainnet' },
      maxHeadAgeSeconds: 60,
    },
    testnet: { rpcUrls: { name: 'rpc', kmsKeyArn: undefined }, maxHeadAgeSeconds: 600 },
  },
}

/** As little as an environment can have. */
export const everythingOff: Environment = {
  cache: false,
  throttling: { requestsPerSecond: 20, burst: 40 },
  memoryMb: 512,
  reservedConcurrency: undefined,
  logRetentionDays: 7,
  keepLogs: false,
  terminationProtection: false,
  alarmEmail: undefined,
  domain: undefined,
  maxRequestsPerAddress: undefined,
  networks: {
    mainnet: { rpcUrls: undefined, maxHeadAgeSeconds: undefined },
    testnet: { rpcUrls: undefined, maxHeadAgeSeconds: undefined },
  },
}

/** Creates an app as `cdk synth` does, but for the bundles. */
export function createApp(): App {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'))
  return new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } })
}

/** Synthesises the stack of an environment. */
export function synthesise(environment: Environment, name = 'test'): Template {
  return Template.fromStack(new PriceLookupStack(createApp(), `price-lookup-${name}`, { name, ...environment }))
}

/** The properties of every resource of a type. */
export function allOf(template: Template, type: string): Record<string, unknown>[] {
  return Object.values(template.findResources(`AWS::${type}`)).map(resource => resource['Properties'] ?? {})
}
