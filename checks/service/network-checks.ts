import { defaultNetwork, type Network, networkFacts, networks, toQuery } from '../../api/networks.ts'
import { toProblemType } from '../../api/problems.ts'
import { type Client, type Fields, fieldsOf, formatReply, formatText, formatValue, type Reply } from './client.ts'
import { type Check, expectThat, Noted } from './run-checks.ts'

/**
 * Lists a check for each network: at least half of the entries of its list are records, and feeds of it have their
 * prices at the URLs of the list.
 *
 * @param feedsToRead how many feeds of each network are read at their URLs
 */
export const listNetworkChecks = (feedsToRead: number): readonly Check[] =>
  networks.map(network => ({
    name: `${network}: the list, and its feeds at their URLs`,
    async run(client) {
      const list = await client.ask(`/price${toQuery(network)}`)
      expectRead(list, network)
      const entries = listEntries(client, network)
      for (const [index, entry] of entries.entries()) {
        const path = `/price/${entry['symbol']}${toQuery(network)}`
        const isAtPath = entry['url'] === client.baseUrl + path
        expectThat(isAtPath, list, `${formatText(path)} is at ${formatValue(entry['url'])}`)
        if (index >= feedsToRead) continue
        const reply = await client.ask(path)
        if (reply.fields['type'] === toProblemType('feed-unreadable') && 'problem' in entry) continue
        expectRead(reply, network)
        // Another function returned the list, and that function may have another version.
        const other = ['symbol', 'feed', 'token'].find(name => reply.fields[name] !== entry[name])
        expectThat(other === undefined, reply, `its ${other} is not that of the list`)
      }
      const records = listRecords(client, network)
      if (records.length > 0 && records.length >= entries.length / 2) return
      throw toNetworkError(network, `${records.length} of ${entries.length} feeds can be read`)
    },
  }))

/** Whether a reply is a price or a list. */
export function isRead({ status, fields }: Reply): boolean {
  return status === 200 && 'readAt' in fields
}

export function isUnavailable({ fields }: Reply): boolean {
  return fields['type'] === toProblemType('chain-unavailable')
}

/** Expects a success of a network. */
export function expectRead(reply: Reply, expected: Network): void {
  const { chainId } = reply.fields
  if (isUnavailable(reply)) throw toNetworkError(expected, formatReply(reply))
  expectThat(isRead(reply), reply, 'not a success')
  const { id } = networkFacts[expected].chain
  expectThat(chainId === id, reply, `of chain ${formatValue(chainId)}, not ${id}`)
}

function toNetworkError(network: Network, detail: string): Error {
  return network === defaultNetwork ? new Error(detail) : new Noted(detail)
}

/** Lists the entries of the latest list of a network. */
function listEntries({ replies }: Client, network: Network): readonly Fields[] {
  const list = replies.findLast(reply => reply.path === `/price${toQuery(network)}` && isRead(reply))
  const feeds = list?.fields['feeds']
  return Array.isArray(feeds) ? feeds.map(fieldsOf) : []
}

/** Lists the records of the latest list of a network. Its other entries are feeds that cannot be read. */
export function listRecords(client: Client, network: Network): readonly Fields[] {
  return listEntries(client, network).filter(entry => !('problem' in entry))
}
