import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Takes the place of the native transport of AWS's runtime interface client, which would have to be compiled.
 *
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/native/rapid-client.cc
 */
async function send(path: string, body?: string) {
  const url = `http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/${path}`
  const sent = request(url, { method: body === undefined ? 'GET' : 'POST' }).end(body)
  const [response] = await once(sent, 'response')
  return { bodyJson: await text(response), headers: response.headers }
}

/** The report of the last invocation. The native transport blocks the process until it is sent. */
let reported: Promise<unknown> = Promise.resolve()

export async function next() {
  await reported
  return await send('next')
}

export function done(id: string, body: string): void {
  reported = send(`${id}/response`, body)
}

export function error(id: string, body: string): void {
  reported = send(`${id}/error`, body)
}
