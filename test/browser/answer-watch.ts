import type { BrowserContext, Response } from 'playwright-core'
import { expectDocumented } from '../contract/documented.ts'

/** Checks the responses to a browser against openapi.yaml. Returns a function that waits for all checks and lists the differences. */
export function watchAnswers(context: BrowserContext, baseUrl: string): () => Promise<readonly string[]> {
  const findings: Promise<readonly string[]>[] = []
  context.on('response', response => {
    if (response.url().startsWith(baseUrl)) findings.push(findFaults(response, response.url().slice(baseUrl.length)))
  })
  return async () => (await Promise.all(findings)).flat()
}

async function findFaults(response: Response, path: string): Promise<readonly string[]> {
  // Requested at once: the browser discards a response that the page has aborted or left, and it cannot be checked then.
  const parts = [response.serverAddr(), response.allHeaders(), response.text()] as const
  const [address, headers, text] = await Promise.all(parts).catch(() => [null] as const)
  // A response that a test made has no server address.
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
