import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request of the process to the runtime API. */
interface Received {
  /** `invocation/next`, `invocation/ID/response`, `invocation/ID/error` or `init/error`. */
  readonly path: string
  /** The parsed body; undefined for `invocation/next`. */
  readonly body: unknown
  readonly response: ServerResponse
}

/** A function in a process of its own, under AWS's runtime interface client. */
export type FunctionProcess = Awaited<ReturnType<typeof startFunctionProcess>>

/** The id of every invocation, as the log has it. */
export const requestId = 'REQUEST'

/**
 * Starts a process, and the runtime API of Lambda for it.
 *
 * @param timeoutMs the timeout of the function
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function startFunctionProcess(
  [program = '', ...args]: readonly string[],
  { cwd, env, timeoutMs }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
) {
  const server = createServer().listen(0, '127.0.0.1')
  // Idle connections have no time limit, for the reason in local/server.ts.
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const child = spawn(program, args, { cwd, env: { ...env, AWS_LAMBDA_RUNTIME_API: address } })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', part => (log += part))
  const ended = new AbortController()
  child.on('close', () => ended.abort(new Error(`The process has ended: ${log}`)))
  const requests = on(server, 'request', { signal: ended.signal }) as AsyncIterator<[IncomingMessage, ServerResponse]>

  async function receive(): Promise<Received> {
    const [request, response] = (await requests.next()).value
    const body = await text(request)
    const path = `${request.url}`.replace('/2018-06-01/runtime/', '')
    return { path, body: body === '' ? undefined : JSON.parse(body), response }
  }

  /** Ends the process, and returns the lines of its log. */
  async function stop(): Promise<readonly string[]> {
    child.kill('SIGKILL')
    if (!ended.signal.aborted) await once(child, 'close')
    server.close()
    server.closeAllConnections()
    return log.split('\n').filter(line => line !== '')
  }

  return {
    /** Receives its first request, which shows whether it has started. No invocation can follow. */
    async started() {
      const { path, body } = await receive()
      return { path, body }
    },
    /**
     * Invokes it, and returns what the handler returned.
     *
     * @throws {Error} with the log when the process has ended, and with its report when the handler has thrown
     */
    async invoke(event: unknown): Promise<unknown> {
      const next = await receive()
      const headers = {
        'Lambda-Runtime-Aws-Request-Id': requestId,
        'Lambda-Runtime-Deadline-Ms': Date.now() + timeoutMs,
        'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:it',
      }
      next.response.writeHead(200, headers).end(JSON.stringify(event))
      const { path, body, response } = await receive()
      response.writeHead(202).end()
      if (path !== `invocation/${requestId}/response`) throw new Error(`${path}: ${JSON.stringify(body)}`)
      return body
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}
