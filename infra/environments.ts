import type { Network } from '../api/networks.ts'

/** The settings of an environment. All are required, so that none is inherited unnoticed. */
export interface Environment {
  /**
   * Whether CloudFormation refuses to delete the stack, the logs outlive it, there is a dashboard, and a deployment is
   * refused while one of its owner's settings is missing.
   */
  readonly production: boolean
  /** The CLI refuses credentials of another account; undefined for the account and the region of the CLI's profile. */
  readonly account: string | undefined
  readonly region: string | undefined
  /** Whether the stage has a cache. It is billed by the hour. */
  readonly cache: boolean
  /**
   * Limits of each cached method, above which it responds 429. Every other method has a tenth of them, but at least 20
   * requests per second and a burst of 40.
   */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number }
  /** Whether a new version of a function is tried first, then gets 10 % of the requests for five minutes, then all. */
  readonly canary: boolean
  /** Maximum number of containers of each function; undefined for no limit but the account's. */
  readonly reservedConcurrency: number | undefined
  readonly logRetentionDays: 7 | 30 | 90 | 365
  /** Whether functions check the public URL every five minutes, and the RPC URLs every hour. */
  readonly probe: boolean
  /**
   * Addresses that the alarms notify by email: `page` if an alarm needs a person at night, `ticket` if it can wait.
   * Undefined for no address.
   */
  readonly alarmEmails: { readonly page: string | undefined; readonly ticket: string | undefined }
  /** The public URL, beside API Gateway's own; undefined for API Gateway's own alone. */
  readonly domain: CustomDomain | undefined
  /**
   * Requests of one IP address in five minutes, above which a web ACL refuses the address; undefined for no web ACL.
   */
  readonly maxRequestsPerAddress: number | undefined
  /**
   * Existing parameters with RPC URLs, below `/price-lookup/<environment>/rpc-urls/`. The stack creates those of the
   * other networks, with the chain's public URL.
   */
  readonly rpcUrls: Readonly<Partial<Record<Network, ExistingParameter>>>
}

/** A custom domain. Its certificate must exist. The stack creates the domain in API Gateway. */
export interface CustomDomain {
  readonly name: string
  /** The ARN of its certificate in AWS Certificate Manager, in the API's own region. */
  readonly certificateArn: string
  /** Id of the public zone in Route 53 to which the stack adds the domain's record; undefined to make it by hand. */
  readonly hostedZone: string | undefined
}

/** A parameter that exists outside of the stack, for example a `SecureString`. */
interface ExistingParameter {
  readonly name: string
  /** The ARN of the customer-managed key that encrypts it; undefined for a `String`, or for an AWS managed key. */
  readonly kmsKeyArn: string | undefined
}

export interface NamedEnvironment extends Environment {
  readonly name: string
}

export const environments = {
  dev: {
    production: false,
    account: undefined,
    region: undefined,
    cache: true,
    throttling: { requestsPerSecond: 20, burst: 40 },
    canary: false,
    reservedConcurrency: undefined,
    logRetentionDays: 7,
    probe: false,
    alarmEmails: { page: undefined, ticket: undefined },
    domain: undefined,
    maxRequestsPerAddress: undefined,
    rpcUrls: {},
  },
  staging: {
    production: false,
    account: undefined,
    region: undefined,
    cache: true,
    throttling: { requestsPerSecond: 100, burst: 200 },
    canary: true,
    reservedConcurrency: 10,
    logRetentionDays: 30,
    probe: true,
    alarmEmails: { page: undefined, ticket: undefined },
    domain: undefined,
    maxRequestsPerAddress: 600,
    rpcUrls: {},
  },
  prod: {
    production: true,
    account: undefined,
    region: undefined,
    cache: true,
    throttling: { requestsPerSecond: 500, burst: 1_000 },
    canary: true,
    reservedConcurrency: 50,
    logRetentionDays: 365,
    probe: true,
    alarmEmails: { page: undefined, ticket: undefined },
    domain: undefined,
    maxRequestsPerAddress: 600,
    rpcUrls: {},
  },
} satisfies Record<string, Environment>

export function findEnvironment(name: unknown): NamedEnvironment | undefined {
  const found = Object.entries(environments).find(([known]) => known === name)
  return found && { name: found[0], ...found[1] }
}

export interface Account {
  /**
   * The monthly budget for all services of the account, in US dollars; undefined for no budget. An account needs one
   * budget, from its account stack in one region.
   */
  readonly monthlyBudgetUsd: number | undefined
  /**
   * The address that the budget notifies by email. If it is undefined, only the console shows the budget, and
   * `npm run deploy` refuses.
   */
  readonly alarmEmail: string | undefined
}

/**
 * The first notification is sent at 80 % of the budget, and must not come every month: *What it costs* in
 * `docs/running.md` has the expected costs.
 */
export const account: Account = { monthlyBudgetUsd: 200, alarmEmail: undefined }
