import { variables } from '../lambda/settings.ts'
import { probeChecks, runChecks } from './checks.ts'
import { createClient } from './requests.ts'

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
