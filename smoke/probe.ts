import type { Check } from './check.ts'
import { type Client, createClient } from './client.ts'
import { askNetworks, checkDescription } from './description.ts'
import { checkReplies } from './http.ts'
import { askList, checkPrices } from './prices.ts'
import { toPrintable } from './printable.ts'

/**
 * Handles an invocation of the probe, a function that the stack runs every five minutes. Logs each check that failed.
 *
 * @throws {Error} when a check failed, so that Lambda counts an error
 */
export async function handler(): Promise<void> {
  const baseUrl = process.env['PUBLIC_BASE_URL']
  if (baseUrl === undefined) throw new Error('Missing the environment variable PUBLIC_BASE_URL.')
  const failed = (await runProbe(createClient(baseUrl))).filter(({ outcome }) => outcome === 'failed')
  for (const { name, detail } of failed) console.warn({ check: toPrintable(name), detail: toPrintable(detail) })
  if (failed.length > 0) throw new Error(`Checks that failed: ${failed.length}`)
}

/** Checks the list of each network and one feed of it: records, digits, freshness and headers. */
export async function runProbe(client: Client): Promise<readonly Check[]> {
  const { networks, check } = await askNetworks(client)
  const checks = [check]
  for (const network of networks) {
    checks.push(...(await checkPrices(client, await askList(client, network), 1)))
  }
  return [...checks, ...checkReplies(client.replies), ...checkDescription(client.replies)]
}
