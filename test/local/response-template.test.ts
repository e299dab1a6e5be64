// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of Velocity
import { expect, test } from 'vitest'
import { renderResponseTemplate } from '../../local/template/response-template.ts'
import { TemplateNotUnderstood } from '../../local/template/values.ts'

test.each([
  ['', ''],
  ['<p>It is 5 %.</p>\n', '<p>It is 5 %.</p>\n'],
  ["#set($c0 = '$')<b>${c0}{x} 5${c0}</b>", '<b>${x} 5$</b>'],
  ["#set($c0 = '#')#set($c1 = '\\$')${c0}set(${c1}a = 1)", '#set(\\$a = 1)'],
])('%j renders to %j', (template, text) => {
  expect(renderResponseTemplate(template, 'Here')).toBe(text)
})

test.each([
  ['$context.requestId', 'the reference context'],
  ["$input.json('$')", 'the reference input'],
  ["${later}#set($later = 'x')", 'the reference later'],
  ["#set($a = 'x')$a.length()", 'the reference a'],
  ["#set($a = 'x')$!a", 'the reference a'],
  ['#set($a = "$context.path")$a', 'such a #set'],
  ['#set($a = 1)$a', 'such a #set'],
  ["#set($a.b = 'x')", 'such a #set'],
  ["#set($a = 'x'", 'the syntax'],
  ['#if(true)x#end', 'a block'],
  ['#[[$raw]]#', 'a raw'],
  ['x ## y', 'a comment'],
  ['#macroOfNobody()', 'a macro_call'],
  ['\\$context', '$'],
  ['a { color: #fff }', '#f'],
])('%j is refused, since it is no text of its own', (template, what) => {
  const render = () => renderResponseTemplate(template, 'Here')
  expect(render).toThrow(TemplateNotUnderstood)
  expect(render).toThrow(`Here: the local gateway does not understand ${what} in a response template.`)
})
