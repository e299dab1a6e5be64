import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer of a service, as it is or altered. */
export interface Altered {
  status: number
  headers: Record<string, string>
  text: string
}

/** Returns the answer to send. The path is below the stage, with its query. */
export type Alter = (answer: Altered, request: { method: string; path: string; accept: string | undefined }) => Altered

/** A loopback server in front of a service. */
export interface AlteringProxy extends AsyncDisposable {
  readonly baseUrl: string
}

/** Starts a proxy; in bodies, the URL of the service becomes that of the proxy. */
export async function startAlteringProxy(target: string, alter: Alter, keepsUrls = false): Promise<AlteringProxy> {
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const path = url.replace(/^\/v1/, '')
    const answer = await ask(`${target}${path}`, method, headers)
    if (!keepsUrls) answer.text = answer.text.replaceAll(target, baseUrl)
    const { status, headers: altered, text } = alter(answer, { method, path, accept: headers.accept })
    response.writeHead(status, altered).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    baseUrl,
    [Symbol.asyncDispose]: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function ask(url: string, method: string, headers: http.IncomingHttpHeaders): Promise<Altered> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers: { ...headers, host: new URL(url).host } }, async response => {
      let text = ''
      for await (const part of response.setEncoding('utf8')) text += part
      const {
        'content-length': _,
        connection,
        'keep-alive': __,
        'transfer-encoding': ___,
        ...others
      } = response.headers
      resolve({ status: response.statusCode ?? 0, headers: others as Record<string, string>, text })
    })
    request.on('error', reject).end()
  })
}
