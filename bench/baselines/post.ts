import http from 'node:http'

/** What a server answered. */
export interface Reply {
  readonly statusCode: number
  readonly body: string
}

/** Posts a body with nothing but `node:http`, and checks nothing. */
export function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', part => {
        text += part
      })
      response.on('end', () => resolve({ statusCode: response.statusCode ?? 0, body: text }))
    })
    request.on('error', reject).end(body)
  })
}
