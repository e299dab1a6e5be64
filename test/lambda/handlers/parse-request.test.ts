import { expect, test } from 'vitest'
import { formatNetworks } from '../../../api/networks.ts'
import { Problem } from '../../../api/problems.ts'
import { findNetwork, parseEvent, parseRequest, toBaseUrl } from '../../../lambda/handlers/parse-request.ts'
import { localSettings } from '../../../local/settings.ts'
import { listEvent } from '../../support/container.ts'

test.each([
  [null, 'mainnet'],
  [{ other: 'testnet' }, 'mainnet'],
  [{ network: 'mainnet' }, 'mainnet'],
  [{ network: '' }, 'mainnet'],
  [{ network: 'testnet' }, 'testnet'],
])('the query %j selects the %s (D6)', (queryStringParameters, network) => {
  expect(parseRequest(parseEvent({ ...listEvent, queryStringParameters }), localSettings).network).toBe(network)
})

test.each([' ', 'MAINNET', 'mainnet ', 'toString', 1, false, ['testnet'], {}])(
  'the network %j is unknown (D6)',
  network => {
    const request = parseEvent({ ...listEvent, queryStringParameters: { network } })
    const problem = new Problem('unknown-network', { networks: formatNetworks() })
    expect(() => parseRequest(request, localSettings)).toThrow(problem)
    expect(findNetwork(request)).toBeUndefined()
  },
)

const requestTo = (domainName: string) =>
  parseEvent({ ...listEvent, requestContext: { ...listEvent.requestContext, domainName } })

test.each([
  ['ABC.execute-api.eu-west-1.amazonaws.com:443', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['abc.execute-api.eu-west-1.amazonaws.com.', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['abc.execute-api.eu-west-1.amazonaws.com.:443', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['127.0.0.1.example', 'https://127.0.0.1.example/v1'],
  ['localhost', 'http://localhost/v1'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/v1'],
  ['[::1]:3000', 'http://[::1]:3000/v1'],
])('at the host %s, the URL of the API is %s (D18b)', (domainName, baseUrl) => {
  expect(toBaseUrl(requestTo(domainName), localSettings)).toBe(baseUrl)
})

test('with a public URL, that of the API is this one (D8, D18b)', () => {
  const publicBaseUrl = 'https://prices.example'
  expect(toBaseUrl(requestTo('127.0.0.1:3000'), { ...localSettings, publicBaseUrl })).toBe(publicBaseUrl)
})
