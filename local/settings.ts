import { ofEachNetwork } from '../api/networks.ts'
import type { Settings } from '../lambda/settings.ts'

/** The settings of the functions outside of AWS: a parameter for each network, named like it. */
export const localSettings: Settings = {
  rpcUrlsParameters: ofEachNetwork(network => network),
  publicBaseUrl: undefined,
}
