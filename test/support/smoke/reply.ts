import type { Client, Reply } from '../../../smoke/client.ts'

const common = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' }

/** Makes a reply as the client does, but with doubles as its numbers. */
export function toReply(path: string, json: object, headers: Record<string, string> = {}, status = 200): Reply {
  const all = new Headers({ ...common, ...headers })
  return { method: 'GET', path, status, headers: all, text: JSON.stringify(json), fields: { ...json } }
}

/** Creates a client without a service. */
export function createClientOf(ask: (...request: Parameters<Client['ask']>) => Reply): Client {
  const replies: Reply[] = []
  return {
    baseUrl: 'https://prices.example/v1',
    replies,
    clock: { nowMs: () => 0, sleep: async () => {} },
    async ask(...request) {
      const reply = ask(...request)
      replies.push(reply)
      return reply
    },
  }
}

const feed = '0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77'
const token = '0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931'

/** The record of the specification, with numbers as texts. */
export const record = {
  symbol: 'CRWD',
  network: 'Robinhood Chain',
  chainId: '4663',
  status: 'Market closed',
  servesLatestRoundData: true,
  price: '1079.9',
  sharePrice: '269.975',
  multiplier: '1.000566080061092436',
  observedAt: '1790984206',
  observedAtIso: '2026-10-02T23:36:46.000Z',
  ageSeconds: '4218561',
  answerRaw: '107990000000',
  decimals: '8',
  feed,
  token,
  explorer: { feed: `https://explorer.example/address/${feed}`, token: `https://explorer.example/address/${token}` },
  block: '79242033',
  readAt: '2026-11-20T19:26:07.106Z',
}
