import type { Network } from '../lambda/feeds/registry.ts'

/** What differs between two deployments of the service. Everything is said for each, so that nothing is inherited unseen. */
export interface Environment {
  /** Whether the stage cache runs: it costs money by the hour, asked or not. */
  readonly cache: boolean
  /** How many requests each method takes before it answers 429. */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number }
  /** Of each function; Lambda gives processor time in proportion. */
  readonly memoryMb: number
  /** How many containers each function may have at most; undefined leaves it to the account. */
  readonly reservedConcurrency: number | undefined
  /** Days that logs are kept. */
  readonly logRetentionDays: 7 | 30 | 90 | 365
  /** Whether the logs outlive the stack. */
  readonly keepLogs: boolean
  /** Whether CloudFormation refuses to delete the stack. */
  readonly terminationProtection: boolean
  /** Who is told of alarms; the topic is there without anyone, too. */
  readonly alarmEmail: string | undefined
  /** The domain that the API has in place of its own, which is then switched off. Its DNS record is the domain owner's. */
  readonly domain: CustomDomain | undefined
  /** A web ACL that refuses any address beyond so many requests in five minutes; undefined is without one. */
  readonly maxRequestsPerAddress: number | undefined
  readonly networks: Readonly<Record<Network, NetworkSettings>>
}

/** A domain and its certificate, both of which must exist. */
export interface CustomDomain {
  readonly name: string
  /** Of AWS Certificate Manager, in the API's own region. */
  readonly certificateArn: string
}

/** What an environment decides on a network. */
interface NetworkSettings {
  /** An existing parameter with the RPC URLs, such as a `SecureString`; undefined creates one, with the chain's public URL. */
  readonly rpcUrls: ExistingParameter | undefined
  /** How old the chain's head may be; undefined is any age, for a chain that makes no blocks when idle. */
  readonly maxHeadAgeSeconds: number | undefined
}

/** A parameter that the stack does not create. */
interface ExistingParameter {
  readonly name: string
  /** Of a key of your own; undefined for a `String`, or for AWS's own key. */
  readonly kmsKeyArn: string | undefined
}

/** A deployment, and the name that its resources carry. */
export interface NamedEnvironment extends Environment {
  readonly name: string
}

const networks: Environment['networks'] = {
  mainnet: { rpcUrls: undefined, maxHeadAgeSeconds: 60 },
  testnet: { rpcUrls: undefined, maxHeadAgeSeconds: undefined },
}

/** The deployed environments by name. */
export const environments = {
  dev: {
    cache: true,
    throttling: { requestsPerSecond: 20, burst: 40 },
    memoryMb: 1_024,
    reservedConcurrency: undefined,
    logRetentionDays: 7,
    keepLogs: false,
    terminationProtection: false,
    alarmEmail: undefined,
    domain: undefined,
    maxRequestsPerAddress: undefined,
    networks,
  },
  staging: {
    cache: true,
    throttling: { requestsPerSecond: 100, burst: 200 },
    memoryMb: 1_024,
    reservedConcurrency: undefined,
    logRetentionDays: 30,
    keepLogs: false,
    terminationProtection: false,
    alarmEmail: undefined,
    domain: undefined,
    maxRequestsPerAddress: undefined,
    networks,
  },
  prod: {
    cache: true,
    throttling: { requestsPerSecond: 500, burst: 1_000 },
    memoryMb: 1_024,
    reservedConcurrency: undefined,
    logRetentionDays: 365,
    keepLogs: true,
    terminationProtection: true,
    alarmEmail: undefined,
    domain: undefined,
    maxRequestsPerAddress: undefined,
    networks,
  },
} satisfies Record<string, Environment>

/** Finds a deployed environment by its name. */
export function findEnvironment(name: unknown): NamedEnvironment | undefined {
  const found = Object.entries(environments).find(([known]) => known === name)
  return found && { name: found[0], ...found[1] }
}
