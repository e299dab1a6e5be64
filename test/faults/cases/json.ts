import { gzipSync } from 'node:zlib'
import { canary, page, reply, replyText, result } from '../answers.ts'
import { type FaultCase, toCases } from '../fault-case.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const without = (field: string) => reply(({ [field]: _, ...rest }) => ({ ...rest, said: canary }))
const withFields = (fields: object) => reply(told => ({ ...told, ...fields, said: canary }))

/** Bodies that are no JSON-RPC answer to our request. */
const envelopes: FaultCase[] = toCases('odd JSON', [
  ['null', page(200, 'null'), 'malformed-envelope'],
  ['true', page(200, 'true'), 'malformed-envelope'],
  ['a number', page(200, '42'), 'malformed-envelope'],
  ['a string', page(200, `"${canary}"`), 'malformed-envelope'],
  ['an empty array', page(200, '[]'), 'malformed-envelope'],
  ['an empty object', page(200, '{}'), 'malformed-envelope'],
  ['the true answer in an array, as to a batch', reply(told => [told]), 'malformed-envelope'],
  ['the true answer in another object', reply(told => ({ jsonrpc: '2.0', reply: told })), 'malformed-envelope'],
  ['no JSON that anyone knows', page(200, `{jsonrpc:'2.0',${canary}}`), 'malformed-envelope'],
  ['another id', withFields({ id: -1 }), 'malformed-envelope'],
  ['the id as a string', reply(told => ({ ...told, id: `${told['id']}` })), 'malformed-envelope'],
  ['null for an id', withFields({ id: null }), 'malformed-envelope'],
  ['no id', without('id'), 'malformed-envelope'],
  ['no jsonrpc', without('jsonrpc'), 'malformed-envelope'],
  ['jsonrpc 1.0', withFields({ jsonrpc: '1.0' }), 'malformed-envelope'],
  ['jsonrpc as a number', withFields({ jsonrpc: 2 }), 'malformed-envelope'],
  ['no result', without('result'), 'malformed-envelope'],
  ['an error and the true result', withFields({ error: { code: -32_000, message: canary } }), 'rpc-error'],
  ['an empty error and the true result', withFields({ error: {} }), 'rpc-error'],
  ['false for an error and the true result', withFields({ error: false }), 'rpc-error'],
  ['all of it under __proto__', replyText(text => `{"__proto__":${text}}`), 'malformed-envelope'],
  ['20,000 levels', page(200, deep(20_000)), 'malformed-envelope'],
  ['20,000 levels for an error', page(200, `{"error":${deep(20_000)}}`), 'rpc-error'],
  ['5 MB', page(200, `"${canary.repeat(500_000)}"`), 'oversized'],
  ['5 MB of white space before the true answer', replyText(text => ' '.repeat(5_000_000) + text), 'oversized'],
  ['a byte order mark before the true answer', replyText(text => `\u{feff}${text}`), 'malformed-envelope'],
  ['a text behind the true answer', replyText(text => `${text}\n${canary}`), 'malformed-envelope'],
  ['the true answer twice', replyText(text => `${text}\n${text}`), 'malformed-envelope'],
  ['the true answer in UTF-16', replyText(text => Buffer.from(text, 'utf16le')), 'malformed-envelope'],
  ['the true answer as an event stream', replyText(text => `data: ${text}\n\n`), 'malformed-envelope'],
  [
    'the true answer compressed, though nobody asked for that',
    replyText(text => gzipSync(text), { 'Content-Encoding': 'gzip' }),
    'malformed-envelope',
  ],
])

/** Replies whose result is none. */
const results: FaultCase[] = toCases('odd results', [
  ['null', result(null), 'malformed-result'],
  ['42', result(42), 'malformed-result'],
  ['true', result(true), 'malformed-result'],
  ['an empty object', result({}), 'malformed-result'],
  ['an array', result(['0x']), 'malformed-result'],
  ['an empty string', result(''), 'malformed-result'],
  ['0x', result('0x'), 'malformed-result'],
  ['an odd number of digits', result('0x123'), 'malformed-result'],
  ['no hexadecimal', result(`0x${canary}`), 'malformed-result'],
  ['the true one without 0x', reply(told => ({ ...told, result: `${told['result']}`.slice(2) })), 'malformed-result'],
  [
    'the true one with 0X',
    reply(told => ({ ...told, result: `${told['result']}`.replace('x', 'X') })),
    'malformed-result',
  ],
  ['the true one and a line break', reply(told => ({ ...told, result: `${told['result']}\n` })), 'malformed-result'],
  ['20,000 levels', replyText(text => text.replace(/"0x[^"]*"/, deep(20_000))), 'malformed-result'],
  ['the true one, and then null', replyText(text => text.replace(/}\s*$/, ',"result":null}')), 'malformed-result'],
])

/** Oddities that change nothing of what is said. */
const harmless: FaultCase[] = toCases('odd, and true', [
  ['null for an error', withFields({ error: null }), { record: {} }],
  [
    'digits in upper case',
    replyText(text => text.replace(/0x[\da-f]{9,}/, hex => `0x${hex.slice(2).toUpperCase()}`)),
    { record: {} },
  ],
  ['white space all around', replyText(text => ` \r\n\t${text}\n\n`), { record: {} }],
  ['a result twice, the last one true', replyText(text => text.replace('{', '{"result":"0x",')), { record: {} }],
  ['an id twice, the last one ours', replyText(text => text.replace('{', '{"id":-1,')), { record: {} }],
  ['the type of a web page', replyText(text => text, { 'Content-Type': 'text/html' }), { record: {} }],
  [
    'no UTF-8 in a field of its own',
    replyText(text => Buffer.concat([Buffer.from('{"x":"\xff",', 'latin1'), Buffer.from(text.slice(1))])),
    { record: {} },
  ],
])

/** What may be odd about a body that came whole. */
export const oddJson: FaultCase[] = [...envelopes, ...results, ...harmless]
