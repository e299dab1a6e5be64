import { gzipSync } from 'node:zlib'
import { canary, status } from '../../chain/faulty-node.ts'
import { type FaultCase, reply, replyText, result, toCases } from '../fault-case.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const without = (field: string) => reply(({ [field]: _, ...rest }) => ({ ...rest, note: canary }))
const withFields = (fields: object) => reply(correct => ({ ...correct, ...fields, note: canary }))

/** Bodies that are no JSON-RPC reply to our request. */
const envelopes: FaultCase[] = toCases('JSON', 'malformed-envelope', [
  ['null', status(200, 'null')],
  ['true', status(200, 'true')],
  ['a number', status(200, '42')],
  ['a string', status(200, `"${canary}"`)],
  ['an empty array', status(200, '[]')],
  ['an empty object', status(200, '{}')],
  ['the correct reply in an array, as to a batch', reply(correct => [correct])],
  ['the correct reply in another object', reply(correct => ({ jsonrpc: '2.0', reply: correct }))],
  ['JSON without quotes', status(200, `{jsonrpc:'2.0',${canary}}`)],
  ['another id', withFields({ id: -1 })],
  ['the id as a string', reply(correct => ({ ...correct, id: `${correct['id']}` }))],
  ['null for an id', withFields({ id: null })],
  ['no id', without('id')],
  ['no jsonrpc', without('jsonrpc')],
  ['jsonrpc 1.0', withFields({ jsonrpc: '1.0' })],
  ['jsonrpc as a number', withFields({ jsonrpc: 2 })],
  ['no result', without('result')],
  ['an error and the correct result', withFields({ error: { code: -32_000, message: canary } }), 'rpc-error'],
  ['an empty error and the correct result', withFields({ error: {} }), 'rpc-error'],
  ['false for an error and the correct result', withFields({ error: false }), 'rpc-error'],
  ['all of it under __proto__', replyText(text => `{"__proto__":${text}}`)],
  ['20,000 levels', status(200, deep(20_000))],
  ['20,000 levels for an error', status(200, `{"error":${deep(20_000)}}`), 'rpc-error'],
  ['5 MB', status(200, `"${canary.repeat(500_000)}"`), 'oversized'],
  ['5 MB of white space before the correct reply', replyText(text => ' '.repeat(5_000_000) + text), 'oversized'],
  ['a byte order mark before the correct reply', replyText(text => `\u{feff}${text}`)],
  ['a text after the correct reply', replyText(text => `${text}\n${canary}`)],
  ['the correct reply twice', replyText(text => `${text}\n${text}`)],
  ['the correct reply in UTF-16', replyText(text => Buffer.from(text, 'utf16le'))],
  ['the correct reply as an event stream', replyText(text => `data: ${text}\n\n`)],
  [
    'the correct reply compressed without being asked for',
    replyText(text => gzipSync(text), { 'Content-Encoding': 'gzip' }),
  ],
])

/** Replies with a result of another type. */
const results: FaultCase[] = toCases('results', 'malformed-result', [
  ['null', result(null)],
  ['42', result(42)],
  ['true', result(true)],
  ['an empty object', result({})],
  ['an array', result(['0x'])],
  ['an empty string', result('')],
  ['0x', result('0x')],
  ['an odd number of digits', result('0x123')],
  ['digits that are not hexadecimal', result(`0x${canary}`)],
  ['the correct one without 0x', reply(correct => ({ ...correct, result: `${correct['result']}`.slice(2) }))],
  ['the correct one with 0X', reply(correct => ({ ...correct, result: `${correct['result']}`.replace('x', 'X') }))],
  ['the correct one and a line break', reply(correct => ({ ...correct, result: `${correct['result']}\n` }))],
  ['20,000 levels', replyText(text => text.replace(/"0x[^"]*"/, deep(20_000)))],
  ['the correct one, and then null', replyText(text => text.replace(/}\s*$/, ',"result":null}'))],
])

/** Unusual replies that are valid. */
const harmless: FaultCase[] = toCases('valid replies', { record: {} }, [
  ['null for an error', withFields({ error: null })],
  ['digits in upper case', replyText(text => text.replace(/0x[\da-f]{9,}/, hex => `0x${hex.slice(2).toUpperCase()}`))],
  ['white space all around', replyText(text => ` \r\n\t${text}\n\n`)],
  ['a result twice, the last one correct', replyText(text => text.replace('{', '{"result":"0x",'))],
  ['an id twice, the last one ours', replyText(text => text.replace('{', '{"id":-1,'))],
  ['the type of a web page', replyText(text => text, { 'Content-Type': 'text/html' })],
  [
    'no UTF-8 in a field of its own',
    replyText(text => Buffer.concat([Buffer.from('{"x":"\xff",', 'latin1'), Buffer.from(text.slice(1))])),
  ],
])

/** Unusual bodies of status 200. */
export const bodies: FaultCase[] = [...envelopes, ...results, ...harmless]
