import { ofEachNetwork } from '../api/networks.ts'
import type { Settings } from '../lambda/settings.ts'

/** The settings of the functions outside of AWS. The parameter of a network has the name of the network. */
export const localSettings: Settings = {
  rpcUrlsParameters: ofEachNetwork(network => network),
  publicBaseUrl: undefined,
}
