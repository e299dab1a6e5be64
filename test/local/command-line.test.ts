import { expect, test } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import { parseOptions } from '../../local/command-line.ts'
import { StartFailure } from '../../local/run-command.ts'

const command = 'npm start --'

test.each([
  [['--port'], '--port needs a value that does not begin with a dash.'],
  [['--log=1'], "Option '--log' does not take an argument. npm start -- --help lists the options."],
  [['--port', '65536'], '--port must be a number from 0 (any free port) to 65535.'],
  [['--host', 'https://a.test/KEY'], '--host must be an address or a name.'],
  [['--https://a.test/KEY'], 'Unknown option. npm start -- --help lists the options.'],
  [['--prot=https://a.test/KEY'], "Unknown option '--prot'. npm start -- --help lists the options."],
])('%j is rejected with its reason', (args, message) => {
  expect(() => parseOptions(command, args, {})).toThrow(new StartFailure(message))
})

test('an option that npm run invoke took is rejected with its remedy', () => {
  const variables = { npm_config_rpc_mainnet: 'true' }
  const message = 'npm took --rpc-mainnet for itself. Write -- before the options: npm run invoke -- --rpc-mainnet'
  expect(() => parseOptions('npm run invoke --', [], variables)).toThrow(new StartFailure(message))
})

test('the options choose the address and the source of each network', () => {
  const rpcUrls = ['--rpc-testnet', 'https://a.test/key', '--rpc-testnet', 'http://[::1]:8545']
  const args = ['--host', '::1', '--port', '0', '--live', ...rpcUrls, 'rest']
  expect(parseOptions(command, args, {})).toEqual({
    help: false,
    host: '::1',
    port: 0,
    log: false,
    sources: {
      ...ofEachNetwork(() => 'deployed'),
      testnet: ['https://a.test/key', 'http://[::1]:8545'],
    },
    rest: ['rest'],
  })
})

test('environment variables choose the source of a network for which no option does', () => {
  const variables = { RPC_URLS_MAINNET: 'https://a.test/key https://b.test', RPC_URLS_TESTNET: 'https://c.test' }
  expect(parseOptions(command, ['--live', '--rpc-testnet', 'https://d.test'], variables).sources).toEqual({
    ...ofEachNetwork(() => 'deployed'),
    mainnet: ['https://a.test/key https://b.test'],
    testnet: ['https://d.test'],
  })
  expect(parseOptions(command, [], { RPC_URLS_MAINNET: '' }).sources).toEqual(ofEachNetwork(() => 'embedded'))
})
