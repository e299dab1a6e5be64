import { inspect } from 'node:util'
import { expect } from 'vitest'
import { canary } from './answers.ts'

/** Keys, hosts and what nodes and sockets say: none of it is a word of ours. */
const upstreamWords = [
  canary,
  Buffer.from(canary).toString('hex'),
  Buffer.from(canary).toString('base64'),
  '127.0.0.1',
  'localhost',
  '.invalid',
  'http://',
  'ECONN',
  'ENOTFOUND',
  'HPE_',
  'socket hang up',
  'aborted',
  'dial tcp',
  'execution reverted',
  'header not found',
  'missing trie node',
  'rate limit exceeded',
  'Too Many Requests',
  'Bad Gateway',
  'OutOfGas',
  'allowance',
]

/** Fails when anything that was told, or thrown, holds a key, a host, a port or a word of a node (D25). */
export function expectNoLeak(told: unknown, ports: readonly number[]): void {
  const text = `${inspect(told, { depth: null, showHidden: true })} ${JSON.stringify(told)}`.toLowerCase()
  for (const word of upstreamWords) expect(text).not.toContain(word.toLowerCase())
  for (const port of ports) expect(text).not.toMatch(new RegExp(`[:/]${port}\\b`))
}
