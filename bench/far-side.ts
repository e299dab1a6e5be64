import { type Child, startChild } from './child.ts'

/** What is asked of the far side: to stand before a real node, what it was asked, or the last question in full. */
export type FarSideQuestion = { readonly rpcUrl: string } | 'count' | 'last request'

/** What it says. */
export interface FarSideAnswer {
  readonly port: number
  readonly ssmUrl: string
  /** The methods of all requests to the node since it was last asked, one each. */
  readonly methods: readonly string[]
  /** The body of the last one. */
  readonly lastRequest: string
}

/** All that the service talks to, in a process of its own: a node that may be far away, and Parameter Store. */
export interface FarSide {
  /** Where the node answers after so many milliseconds. */
  readonly rpcUrl: (delayMs: number) => string
  /** The environment of a function whose node is so far away. */
  readonly variables: (delayMs: number) => Readonly<Record<string, string>>
  /** Tells the methods of all requests since the last time. */
  readonly takeRequests: () => Promise<readonly string[]>
  /** Gives the body of the last request. */
  readonly lastRequest: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** How far away the node is measured. */
export const delaysMs = [0, 20, 100] as const

/** Starts the far side before a real node, of which it remembers every answer, so that all are answered in the same time. */
export async function startFarSide(nodeUrl: string): Promise<FarSide> {
  const child: Child<FarSideQuestion, FarSideAnswer> = startChild('far-side-process.ts')
  const { port, ssmUrl } = await child.ask({ rpcUrl: nodeUrl })
  return {
    rpcUrl: delayMs => `http://127.0.0.1:${port}/${delayMs}`,
    variables: delayMs => ({
      AWS_ENDPOINT_URL_SSM: ssmUrl,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      RPC_URLS_PARAMETER_MAINNET: `${delayMs}`,
    }),
    takeRequests: async () => (await child.ask('count')).methods,
    lastRequest: async () => (await child.ask('last request')).lastRequest,
    stop: child.stop,
  }
}
