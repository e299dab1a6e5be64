import { expect, test } from 'vitest'
import { networkFacts } from '../../api/networks.ts'
import { formatRpcFailure } from '../../local/rpc-failure.ts'

/** The lines of one request for the mainnet, of one for the testnet, and of an error. */
const lines = [
  '{"fault":"wrong-chain","endpoint":"rpc-2","network":"mainnet"}',
  '{"fault":"unreachable","endpoint":"rpc-1","network":"mainnet"}',
  '{"fault":"unreachable","endpoint":"rpc-1","network":"mainnet"}',
  '{"route":"GET /price","outcome":"chain-unavailable","network":"mainnet"}',
  '{"fault":"timeout","endpoint":"rpc-1","network":"testnet"}',
  'Error: a stack trace',
].map(text => ({ source: 'ListPrices', level: 'info', text }) as const)

const given = { name: '--rpc-mainnet', rpcUrls: ['http://127.0.0.1:39/KEY', 'http://127.0.0.1:39/KEY'] }

// test/system/start.test.ts has the sentence for an environment variable.
test('the faults of the network become one sentence', () => {
  expect(formatRpcFailure('mainnet', given, lines)).toBe(
    'The mainnet cannot be read with --rpc-mainnet: rpc-1 unreachable, rpc-2 wrong-chain. ' +
      'Check it: npm run --silent check-rpc -- URL',
  )
})

test('with --live, the sentence has the public RPC URL', () => {
  expect(formatRpcFailure('mainnet', 'deployed', lines)).toBe(
    'The mainnet cannot be read with --live: rpc-1 unreachable, rpc-2 wrong-chain. ' +
      `Check it: npm run --silent check-rpc -- ${networkFacts.mainnet.rpcUrl}`,
  )
})

test('without a fault of an RPC URL there is no such sentence', () => {
  expect(formatRpcFailure('mainnet', given, lines.slice(3))).toBeUndefined()
  expect(formatRpcFailure('mainnet', 'embedded', lines)).toBeUndefined()
})
