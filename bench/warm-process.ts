import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setDefaultCACertificates } from 'node:tls'
import type { APIGatewayProxyResult } from 'aws-lambda'

type Handler = (event: unknown, context: object) => Promise<APIGatewayProxyResult>

// Each message starts a run, and states the gap before it. The gap passes on the clock of `Date.now` alone, by which
// the functions judge the age of their connections and RPC URLs, so that no run has to wait for it.
const { now } = Date
let gapsMs = 0
Date.now = () => now() + gapsMs

const certificate = process.env['CERTIFICATE']
if (certificate !== undefined) setDefaultCACertificates([certificate])

const [, , file, eventFile] = process.argv
if (file === undefined || eventFile === undefined) throw new Error('Name the file of a bundle, and that of an event.')
const event: unknown = JSON.parse(readFileSync(eventFile, 'utf8'))
const { handler }: { handler: Handler } = createRequire(file)(file)

process.on('message', async (gapMs: number) => {
  gapsMs += gapMs
  const began = performance.now()
  const { statusCode, body } = await handler(event, { getRemainingTimeInMillis: () => 10_000 })
  const tookMs = performance.now() - began
  if (statusCode !== 200 || body.includes('"problem":')) throw new Error(`The response is ${statusCode}: ${body}`)
  process.send?.(tookMs)
})
process.on('disconnect', () => process.exit())
