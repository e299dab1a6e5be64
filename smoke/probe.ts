import type { Check } from './check.ts'
import { type Client, createClient } from './client.ts'
import { checkHeaders } from './http.ts'
import { askList, checkPrices } from './prices.ts'
import { mainnet, testnet } from './record.ts'

/**
 * Handles an invocation of the probe, a function that the stack runs every five minutes. Logs each check that failed.
 *
 * @throws {Error} when a check failed, so that Lambda counts an error
 */
export async function handler(): Promise<void> {
  const baseUrl = process.env['PUBLIC_BASE_URL']
  if (baseUrl === undefined) throw new Error('Missing the environment variable PUBLIC_BASE_URL.')
  const failed = (await runProbe(createClient(baseUrl))).filter(({ outcome }) => outcome === 'failed')
  for (const { name, detail } of failed) console.warn({ check: name, detail })
  if (failed.length > 0) throw new Error(`Checks that failed: ${failed.length}`)
}

/** Checks both lists and one feed of each, with four requests: records, digits, freshness and headers. */
export async function runProbe(client: Client): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const network of [mainnet, testnet]) {
    checks.push(...(await checkPrices(client, await askList(client, network), 1)))
  }
  return [...checks, ...checkHeaders(client.answers)]
}
