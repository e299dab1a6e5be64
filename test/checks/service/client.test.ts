import { expect, test } from 'vitest'
import { formatReply, formatText, formatValue } from '../../../checks/service/client.ts'

test.each([
  ['a control character', '\u009b2J', '\\u{9b}2J'],
  ['a change of the direction of writing', 'a\u202eb', 'a\\u{202e}b'],
  ['a character beyond 16 bits', '\u{e0041}', '\\u{e0041}'],
  ['half of a character', '\ud83d', '\\u{d83d}'],
  ['a separator of lines', '\u2028', '\\u{2028}'],
  ['a separator of paragraphs', '\u2029', '\\u{2029}'],
  ['a letter', 'é価😀', 'é価😀'],
])('%s of a reply is printed visibly', (_, text, printed) => {
  expect(formatText(text)).toBe(printed)
})

test('a text is escaped before it is shortened to 80 characters', () => {
  expect(formatText(`${'a'.repeat(78)}\u202e`)).toBe(`${'a'.repeat(78)}\\u`)
  expect(formatText('😀'.repeat(81))).toBe('😀'.repeat(80))
})

test('a value of a reply is printed as JSON, and visibly', () => {
  expect(formatValue({ 'a\n': ['\u202e'] })).toBe('{"a\\n":["\\u{202e}"]}')
  expect(formatValue(undefined)).toBe('missing')
})

test('the path of a request, which can have a symbol of a reply, the title of a problem and a failure are printed visibly', () => {
  const reply = { method: 'GET', path: '/price/\u202e', headers: new Headers(), text: '', arrivedAt: 0 }
  const line = 'GET /price/\\u{202e}: '
  expect(formatReply({ ...reply, status: 503, fields: { title: '\u009b' } })).toBe(`${line}503 "\\u{9b}"`)
  expect(formatReply({ ...reply, status: 0, fields: {}, failure: 'no response (\u001b)' })).toBe(
    `${line}no response (\\u{1b})`,
  )
})
