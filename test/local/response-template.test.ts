// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of Velocity
import { expect, test } from 'vitest'
import { responseTemplate } from '../../local/template/responses.ts'

test.each([
  ['', ''],
  ['<p>It is 5 %.</p>\n', '<p>It is 5 %.</p>\n'],
  ["#set($c0 = '$')<b>${c0}{x} 5${c0}</b>", '<b>${x} 5$</b>'],
  ["#set($c0 = '#')#set($c1 = '\\$')${c0}set(${c1}a = 1)", '#set(\\$a = 1)'],
])('%j renders to %j', (template, text) => {
  expect(responseTemplate.parse(template)).toBe(text)
})

test.each([
  ['$context.requestId', '{"type":"references","id":"context"}'],
  ["$input.json('$')", '{"type":"references","id":"input"}'],
  ["${later}#set($later = 'x')", '{"type":"references","id":"later"}'],
  ["#set($a = 'x')$a.length()", '{"type":"references","id":"a"}'],
  ["#set($a = 'x')$!a", '{"type":"references","id":"a"}'],
  ['#set($a = "$context.path")$a', '{"type":"set"}'],
  ['#set($a = 1)$a', '{"type":"set"}'],
  ["#set($a.b = 'x')", '{"type":"set"}'],
  ["#set($a = 'x'", 'Its syntax'],
  ['#if(true)x#end', '[{"type":"if"},"x"]'],
  ['#[[$raw]]#', '{"type":"raw"}'],
  ['x ## y', '{"type":"comment"}'],
  ['#unknownMacro()', '{"type":"macro_call","id":"unknownMacro"}'],
  ['\\$context', '"$"'],
  ['a { color: #fff }', '"#f"'],
])('%j is not supported', (template, part) => {
  const { error } = responseTemplate.safeParse(template)
  expect(error?.issues.map(({ message }) => message)).toEqual([`${part} is not supported in a response template`])
})
