import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replaceMeasurements } from '../../bench/document.ts'

const mark = '<!-- What follows is written by `npm run bench`. -->'

test('new measurements replace the old ones, and the text by hand stays', () => {
  const page = replaceMeasurements(`# By hand\n\n${mark}\n\nMeasured on A\n\n## Old\n`, 'B', ['## New\n', '## Newer\n'])
  expect(page).toBe(`# By hand\n\n${mark}\n\nMeasured on B\n\n## New\n\n## Newer\n`)
})

test.each([
  ['# By hand\n\n<!-- What follows is written by `node bench/bench.ts`. -->\n\n## Old\n', 0],
  [`${mark}\n${mark}\n`, 2],
])('a page that does not have the mark exactly once is rejected', (page, times) => {
  expect(() => replaceMeasurements(page, 'B', [])).toThrow(`has it ${times} times: ${mark}`)
})

test('docs/bench.md has the mark', () => {
  expect(replaceMeasurements(readFileSync('docs/bench.md', 'utf8'), 'B', [])).toContain(`${mark}\n\nMeasured on B\n`)
})
