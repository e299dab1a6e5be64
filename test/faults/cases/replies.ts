import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Respond, rpcError, secret, status } from '../../support/chain/faulty-node.ts'
import { type FaultCase, reply, replyText, result, toCases } from '../../support/faults/fault-case.ts'

const without = (field: string) => reply(({ [field]: _, ...rest }) => ({ ...rest, note: secret }))
const withFields = (fields: object) => reply(correct => ({ ...correct, ...fields, note: secret }))

/** Responds with another text in place of the digits of the correct result. */
const digits = (change: (correct: string) => string) =>
  reply(correct => ({ ...correct, result: change(`${correct['result']}`.slice(2)) }))

/** Responds with bytes as if they were the compressed text of the correct reply. */
const compressed = (change: (text: string) => string | Buffer) => replyText(change, { 'Content-Encoding': 'gzip' })

/** Bodies that are no JSON-RPC reply to our request. */
const envelopes: FaultCase[] = toCases('JSON', 'malformed-envelope', [
  ['null', status(200, 'null')],
  ['a number', status(200, '42')],
  ['the correct reply in an array, as to a batch', reply(correct => [correct])],
  ['another id', withFields({ id: -1 })],
  ['the id as a string', reply(correct => ({ ...correct, id: `${correct['id']}` }))],
  ['no result', without('result')],
  ['a code that is no rate limit, without an envelope', status(200, '{"code":-32000}')],
  ['an error and the correct result', withFields({ error: { code: -32_000, message: secret } }), 'rpc-error'],
  ['false for an error and the correct result', withFields({ error: false }), 'rpc-error'],
  ['all of it under __proto__', replyText(text => `{"__proto__":${text}}`)],
  ['the correct reply, truncated after it was compressed', compressed(text => gzipSync(text).subarray(0, -9))],
  ['the correct reply in another coding', replyText(brotliCompressSync, { 'Content-Encoding': 'br' })],
])

/** Replies with a result that is not a sequence of bytes. */
const results: FaultCase[] = toCases('result', 'malformed-result', [
  ['null', result(null)],
  ['the correct one in an array', reply(correct => ({ ...correct, result: [correct['result']] }))],
  ['an odd number of digits', result('0x123')],
  ['the correct one with a letter at its end', digits(correct => `0x${correct.slice(0, -1)}g`)],
  ['the correct one with 0x at its end', digits(correct => `zz${correct.slice(0, -2)}0x`)],
  ['the correct one without 0x', reply(correct => ({ ...correct, result: `${correct['result']}`.slice(2) }))],
  ['the correct one with 0X', reply(correct => ({ ...correct, result: `${correct['result']}`.replace('x', 'X') }))],
])

const bound = 65_536
const nested = '['.repeat(bound / 2) + ']'.repeat(bound / 2)

/** Replies around the largest size. */
const sizes: FaultCase[] = toCases('size', 'oversized', [
  ['the correct reply in 64 KiB', replyText(text => text.padEnd(bound)), {}],
  ['the correct reply in a byte more', replyText(text => text.padEnd(bound + 1))],
  ['the correct reply in 64 KiB, compressed', compressed(text => gzipSync(text.padEnd(bound))), {}],
  ['the correct reply in a byte more, compressed', compressed(text => gzipSync(text.padEnd(bound + 1)))],
  ['nested arrays in 64 KiB', status(200, nested), 'malformed-envelope'],
])

/** Unusual replies that are valid. */
const valid: FaultCase[] = toCases('valid reply', {}, [
  ['the correct one', replyText(text => text)],
  ['null for an error', withFields({ error: null })],
  ['the code of a rate limit beside a result', withFields({ code: -32_005 })],
  ['further fields', withFields({ node: secret, secret: { key: secret } })],
  ['digits in upper case', replyText(text => text.replace(/0x[\da-f]{9,}/, hex => `0x${hex.slice(2).toUpperCase()}`))],
  ['white space all around', replyText(text => ` \r\n\t${text}\n\n`)],
  ['a result twice, the last one correct', replyText(text => text.replace('{', '{"result":"0x",'))],
  ['the type of a web page', replyText(text => text, { 'Content-Type': 'text/html' })],
  ['status 203', replyText(text => text, {}, 203)],
  ['no jsonrpc', without('jsonrpc')],
  ['a byte order mark before it', replyText(text => `\u{feff}${text}`)],
  ['gzip without the header', replyText(gzipSync)],
  ...['gzip', 'x-gzip', 'identity', 'utf-8', 'none', '', 'br'].flatMap((coding): [string, Respond][] => [
    [`gzip with the coding "${coding}"`, replyText(gzipSync, { 'Content-Encoding': coding })],
    [`text with the coding "${coding}"`, replyText(text => text, { 'Content-Encoding': coding })],
  ]),
])

/** Errors of nodes. Only a feed's own row is a statement about the feed. */
const errors: FaultCase[] = toCases('error', 'rpc-error', [
  ['a revert', rpcError(3, 'execution reverted')],
  ['a URL with a key', rpcError(-32_000, `Post "https://node.test/${secret}/": dial tcp 10.0.0.1:8545: i/o timeout`)],
])

/** Bodies of status 200. */
export const replies: FaultCase[] = [...envelopes, ...results, ...sizes, ...valid, ...errors]
