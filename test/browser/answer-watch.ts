import type { BrowserContext, Response } from 'playwright-core'
import { expectDocumented } from '../contract/documented.ts'

/** Holds what a service answers to pages against openapi.yaml; gives what tells, in the end, of every answer that differs. */
export function watchAnswers(context: BrowserContext, baseUrl: string): () => Promise<readonly string[]> {
  const findings: Promise<readonly string[]>[] = []
  context.on('response', response => {
    if (response.url().startsWith(baseUrl)) findings.push(findFaults(response, response.url().slice(baseUrl.length)))
  })
  return async () => (await Promise.all(findings)).flat()
}

async function findFaults(response: Response, path: string): Promise<readonly string[]> {
  // At once: of an answer that the page has given up, or has left, nothing is known any more, and nothing can be told.
  const parts = [response.serverAddr(), response.allHeaders(), response.text()] as const
  const [address, headers, text] = await Promise.all(parts).catch(() => [null] as const)
  // What a test itself has answered came from no server.
  if (address === null || headers === undefined || text === undefined) return []
  return findDifferences({ method: response.request().method(), path, status: response.status(), headers, text })
}

function findDifferences(answer: Parameters<typeof expectDocumented>[0]): readonly string[] {
  try {
    expectDocumented(answer)
    return []
  } catch (error) {
    return [String(error)]
  }
}
