import { expect, test } from 'vitest'
import { describeError } from '../../../lambda/handlers/describe-error.ts'

test('stack frames with a bundler’s names, or in folders with spaces or other letters, are described', () => {
  const frames = [
    '    at P$ (file:///var/task/index.js:1:2)',
    '    at t.#n (/var/task/index.js:3:4)',
    '    at file:///a%20b/index.js:5:6',
    '    at /a b (1)/index.js:7:8',
    '    at /Ünïcödé/e\u0301/価格/index.js:9:10',
  ]
  const noFrames = ['text before    at /index.js:1:2', '    at /index.js:1:2, text after', '    at /index.js:1:2 text']
  const message = 'no\n    at /message.js:1:2'
  const stack = [`Error: ${message}`, ...frames, ...noFrames].join('\n')
  expect(describeError(Object.assign(new Error(message), { stack })).frames).toEqual(frames)
})

const lookalike = new TypeError('SECRET\n    at file:///SECRET.ts:1:1\n    at https://node.test/KEY')
const framesOfThisFile = expect.arrayContaining([
  expect.stringMatching(/^ {4}at .*describe-error\.test\.ts:\d+:\d+\)?$/),
])
const withStack = (stack: string) => Object.assign(new Error('SECRET'), { stack })
test.each([
  [lookalike, 'TypeError', framesOfThisFile],
  // The SDK takes the name of an error from a reply.
  [Object.assign(new RangeError('SECRET'), { name: 'SECRET' }), 'RangeError', framesOfThisFile],
  [Object.assign(new Error('SECRET'), { constructor: { name: 'SECRET' } }), 'Error', framesOfThisFile],
  // A minifier can give any class of ours such a name.
  [new (class K extends TypeError {})('SECRET'), 'Error', framesOfThisFile],
  [
    new (class extends Error {
      static override name = 'Map'
    })('SECRET'),
    'Error',
    framesOfThisFile,
  ],
  [
    new (class extends Error {
      static override name = 'SECRET https://node.test/KEY'
    })(),
    'Error',
    framesOfThisFile,
  ],
  [
    Object.setPrototypeOf(new Error('SECRET'), Object.create(Error.prototype, { constructor: {} })),
    'Error',
    framesOfThisFile,
  ],
  [withStack('Error: SECRET'), 'Error', []],
  [withStack('A stack without its message\n    at /index.js:1:2'), 'Error', []],
  ['SECRET', 'string', []],
  [undefined, 'undefined', []],
])('of an error, the class and stack frames alone are described (D25): %s', (thrown, type, frames) => {
  const described = describeError(thrown)
  expect(described).toEqual({ error: type, frames })
  expect(JSON.stringify(described)).not.toMatch(/SECRET|KEY|node\.test/)
})
