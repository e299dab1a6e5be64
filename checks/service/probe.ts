import { defaultNetwork } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import { createClient, formatValue } from './client.ts'
import { listNetworkChecks, listRecords } from './network-checks.ts'
import { servedChecks } from './reply-checks.ts'
import { type Check, runChecks } from './run-checks.ts'

/**
 * Handles an invocation of the probe, a function that the stack runs every five minutes. Logs each check that failed.
 *
 * @throws {Error} when a check failed, so that Lambda counts an error
 */
export async function handler(): Promise<void> {
  const baseUrl = process.env[variables.publicBaseUrl]
  if (baseUrl === undefined) throw new Error(`Missing the environment variable ${variables.publicBaseUrl}.`)
  const results = await runChecks(probeChecks, createClient(baseUrl))
  const failed = results.filter(({ result }) => result === 'failed')
  for (const { name, detail } of failed) console.warn({ check: name, detail })
  if (failed.length > 0) throw new Error(`Checks that failed: ${failed.length}`)
}

/** The maximum age of a price. No weekend with its holidays is as long. */
const maxAgeSeconds = 7 * 86_400

/**
 * Finds that the publishers have moved to other feeds, and have left ours with old prices. The probe alone has this
 * check, because old prices must not prevent a release.
 */
const recentPriceCheck: Check = {
  name: `${defaultNetwork}: a price is of the last seven days`,
  run(client) {
    const ages = listRecords(client, defaultNetwork).map(({ ageSeconds }) => ageSeconds)
    // Without a record, the check of the list has failed, and nothing is known of the publishers.
    if (ages.length === 0) return
    if (ages.some(age => typeof age === 'number' && age < maxAgeSeconds)) return
    throw new Error(`the ages in seconds are ${formatValue(ages)}`)
  },
}

const probeChecks: readonly Check[] = [...listNetworkChecks(1), recentPriceCheck, ...servedChecks]
