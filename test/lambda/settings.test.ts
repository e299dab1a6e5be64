import { expect, test } from 'vitest'
import { networks, ofEachNetwork } from '../../api/networks.ts'
import { parseSettings, toVariables } from '../../lambda/settings.ts'

const rpcUrlsParameters = ofEachNetwork(network => `/a/b-c_d.e/${network}`)
const environment = {
  ...Object.fromEntries(
    networks.map(network => [`RPC_URLS_PARAMETER_${network.toUpperCase()}`, rpcUrlsParameters[network]]),
  ),
}

test('the settings of a function are its environment variables', () => {
  const publicBaseUrl = 'https://prices.example/v1'
  for (const [settings, variables] of [
    [{ rpcUrlsParameters, publicBaseUrl: undefined }, environment],
    [
      { rpcUrlsParameters, publicBaseUrl },
      { ...environment, PUBLIC_BASE_URL: publicBaseUrl },
    ],
  ] as const) {
    expect(parseSettings(variables)).toEqual(settings)
    expect(toVariables(settings)).toEqual(variables)
  }
})

/** A value of each kind that is wrong for a variable. */
const wrong = [
  ...[undefined, '', ' /a/mainnet', '/a/main net', 'WRONG,'].map(text => ['RPC_URLS_PARAMETER_MAINNET', text] as const),
  ['RPC_URLS_PARAMETER_TESTNET', undefined] as const,
  ...['', 'prices.example', 'https://prices.example/', ' https://prices.example', 'https://'].map(
    text => ['PUBLIC_BASE_URL', text] as const,
  ),
]

test.each(wrong)('%s=%j is an error with the name of the variable, and without the value (D32)', (name, text) => {
  const expected =
    /^The environment variable (\w+) is missing or wrong\. Set it to (the name of a parameter|a URL without a slash at its end)\.$/
  const errorOf = () => parseSettings({ ...environment, [name]: text })
  expect(errorOf).toThrow(expected)
  expect(errorOf).toThrow(` ${name} `)
})
