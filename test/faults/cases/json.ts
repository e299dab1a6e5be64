import { gzipSync } from 'node:zlib'
import { canary, type FaultCase, page, reply, replyText, result, toCases } from '../fault-case.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const without = (field: string) => reply(({ [field]: _, ...rest }) => ({ ...rest, note: canary }))
const withFields = (fields: object) => reply(correct => ({ ...correct, ...fields, note: canary }))

/** Bodies that are no JSON-RPC reply to our request. */
const envelopes: FaultCase[] = toCases('JSON', [
  ['null', page(200, 'null'), 'malformed-envelope'],
  ['true', page(200, 'true'), 'malformed-envelope'],
  ['a number', page(200, '42'), 'malformed-envelope'],
  ['a string', page(200, `"${canary}"`), 'malformed-envelope'],
  ['an empty array', page(200, '[]'), 'malformed-envelope'],
  ['an empty object', page(200, '{}'), 'malformed-envelope'],
  ['the correct reply in an array, as to a batch', reply(correct => [correct]), 'malformed-envelope'],
  ['the correct reply in another object', reply(correct => ({ jsonrpc: '2.0', reply: correct })), 'malformed-envelope'],
  ['JSON without quotes', page(200, `{jsonrpc:'2.0',${canary}}`), 'malformed-envelope'],
  ['another id', withFields({ id: -1 }), 'malformed-envelope'],
  ['the id as a string', reply(correct => ({ ...correct, id: `${correct['id']}` })), 'malformed-envelope'],
  ['null for an id', withFields({ id: null }), 'malformed-envelope'],
  ['no id', without('id'), 'malformed-envelope'],
  ['no jsonrpc', without('jsonrpc'), 'malformed-envelope'],
  ['jsonrpc 1.0', withFields({ jsonrpc: '1.0' }), 'malformed-envelope'],
  ['jsonrpc as a number', withFields({ jsonrpc: 2 }), 'malformed-envelope'],
  ['no result', without('result'), 'malformed-envelope'],
  ['an error and the correct result', withFields({ error: { code: -32_000, message: canary } }), 'rpc-error'],
  ['an empty error and the correct result', withFields({ error: {} }), 'rpc-error'],
  ['false for an error and the correct result', withFields({ error: false }), 'rpc-error'],
  ['all of it under __proto__', replyText(text => `{"__proto__":${text}}`), 'malformed-envelope'],
  ['20,000 levels', page(200, deep(20_000)), 'malformed-envelope'],
  ['20,000 levels for an error', page(200, `{"error":${deep(20_000)}}`), 'rpc-error'],
  ['5 MB', page(200, `"${canary.repeat(500_000)}"`), 'oversized'],
  ['5 MB of white space before the correct reply', replyText(text => ' '.repeat(5_000_000) + text), 'oversized'],
  ['a byte order mark before the correct reply', replyText(text => `\u{feff}${text}`), 'malformed-envelope'],
  ['a text after the correct reply', replyText(text => `${text}\n${canary}`), 'malformed-envelope'],
  ['the correct reply twice', replyText(text => `${text}\n${text}`), 'malformed-envelope'],
  ['the correct reply in UTF-16', replyText(text => Buffer.from(text, 'utf16le')), 'malformed-envelope'],
  ['the correct reply as an event stream', replyText(text => `data: ${text}\n\n`), 'malformed-envelope'],
  [
    'the correct reply compressed without being asked for',
    replyText(text => gzipSync(text), { 'Content-Encoding': 'gzip' }),
    'malformed-envelope',
  ],
])

/** Replies with a result of another type. */
const results: FaultCase[] = toCases('results', [
  ['null', result(null), 'malformed-result'],
  ['42', result(42), 'malformed-result'],
  ['true', result(true), 'malformed-result'],
  ['an empty object', result({}), 'malformed-result'],
  ['an array', result(['0x']), 'malformed-result'],
  ['an empty string', result(''), 'malformed-result'],
  ['0x', result('0x'), 'malformed-result'],
  ['an odd number of digits', result('0x123'), 'malformed-result'],
  ['digits that are not hexadecimal', result(`0x${canary}`), 'malformed-result'],
  [
    'the correct one without 0x',
    reply(correct => ({ ...correct, result: `${correct['result']}`.slice(2) })),
    'malformed-result',
  ],
  [
    'the correct one with 0X',
    reply(correct => ({ ...correct, result: `${correct['result']}`.replace('x', 'X') })),
    'malformed-result',
  ],
  [
    'the correct one and a line break',
    reply(correct => ({ ...correct, result: `${correct['result']}\n` })),
    'malformed-result',
  ],
  ['20,000 levels', replyText(text => text.replace(/"0x[^"]*"/, deep(20_000))), 'malformed-result'],
  ['the correct one, and then null', replyText(text => text.replace(/}\s*$/, ',"result":null}')), 'malformed-result'],
])

/** Unusual replies that are valid. */
const harmless: FaultCase[] = toCases('valid replies', [
  ['null for an error', withFields({ error: null }), { record: {} }],
  [
    'digits in upper case',
    replyText(text => text.replace(/0x[\da-f]{9,}/, hex => `0x${hex.slice(2).toUpperCase()}`)),
    { record: {} },
  ],
  ['white space all around', replyText(text => ` \r\n\t${text}\n\n`), { record: {} }],
  ['a result twice, the last one correct', replyText(text => text.replace('{', '{"result":"0x",')), { record: {} }],
  ['an id twice, the last one ours', replyText(text => text.replace('{', '{"id":-1,')), { record: {} }],
  ['the type of a web page', replyText(text => text, { 'Content-Type': 'text/html' }), { record: {} }],
  [
    'no UTF-8 in a field of its own',
    replyText(text => Buffer.concat([Buffer.from('{"x":"\xff",', 'latin1'), Buffer.from(text.slice(1))])),
    { record: {} },
  ],
])

/** Unusual bodies of status 200. */
export const bodies: FaultCase[] = [...envelopes, ...results, ...harmless]
