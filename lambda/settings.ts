import { type Network, networks, ofEachNetwork } from '../api/networks.ts'

/**
 * The names of the functions' environment variables. {@link parseSettings} reads those of the functions that read the
 * chain. The probe reads the public URL alone. The hook of a deployment reads the public URL and the versions.
 */
export const variables = {
  toRpcUrlsParameter: (network: Network) => `RPC_URLS_PARAMETER_${network.toUpperCase()}`,
  publicBaseUrl: 'PUBLIC_BASE_URL',
  versions: 'VERSIONS',
} as const

export interface Settings {
  readonly rpcUrlsParameters: Readonly<Record<Network, string>>
  /** The API's public URL, without a slash at its end; undefined if it is the URL to which a request was sent. */
  readonly publicBaseUrl: string | undefined
}

type Variables = Readonly<Record<string, string | undefined>>

/** Converts settings to environment variables, from which {@link parseSettings} returns the same settings. */
export function toVariables(settings: Settings): Readonly<Record<string, string>> {
  const { rpcUrlsParameters, publicBaseUrl } = settings
  const names = networks.map(network => [variables.toRpcUrlsParameter(network), rpcUrlsParameters[network]] as const)
  return {
    ...Object.fromEntries(names),
    ...(publicBaseUrl === undefined ? {} : { [variables.publicBaseUrl]: publicBaseUrl }),
  }
}

/**
 * Parses the environment variables of a function. None has a default (D32).
 *
 * @throws {Error} with the name of a variable that is missing or wrong, and without its value
 */
export function parseSettings(environment: Variables): Settings {
  const hasPublicBaseUrl = environment[variables.publicBaseUrl] !== undefined
  return {
    rpcUrlsParameters: ofEachNetwork(network =>
      parse(environment, variables.toRpcUrlsParameter(network), /^[\w./-]+$/, 'the name of a parameter'),
    ),
    publicBaseUrl: hasPublicBaseUrl
      ? parse(environment, variables.publicBaseUrl, baseUrlPattern, 'a URL without a slash at its end')
      : undefined,
  }
}

const baseUrlPattern = /^https?:\/\/[^\s/?#]+(\/[^\s/?#]+)*$/

/** @param expected what the variable must hold, as the end of the sentence "Set it to …" */
function parse(environment: Variables, name: string, pattern: RegExp, expected: string): string {
  const text = environment[name]
  if (text !== undefined && pattern.test(text)) return text
  throw new Error(`The environment variable ${name} is missing or wrong. Set it to ${expected}.`)
}
