import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { APIGatewayProxyResult } from 'aws-lambda'

/** The deployed function's own interface. */
type Handler = (event: unknown, context: object) => Promise<APIGatewayProxyResult>

/** Loads a function's bundle, and gives a way to invoke it with one event, which takes nothing but a 200. */
export async function loadDeployed(bundle: string, eventFile: string): Promise<() => Promise<APIGatewayProxyResult>> {
  const event: unknown = JSON.parse(await readFile(eventFile, 'utf8'))
  const { handler }: Readonly<Record<string, unknown>> = await import(pathToFileURL(bundle).href)
  if (!isHandler(handler)) throw new Error(`${bundle} exports no handler.`)
  return async () => {
    const result = await handler(event, { getRemainingTimeInMillis: () => 10_000 })
    if (result.statusCode !== 200) throw new Error(`The service answered ${result.statusCode}: ${result.body}`)
    return result
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}
