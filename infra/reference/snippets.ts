import type { Operation, Parameter } from './description.ts'
import { type Html, html } from './html.ts'

/** Stands in requests until the page's script replaces it with the URL of its deployment. */
export const exampleBaseUrl = 'https://prices.example/v1'

/** Returns the value of a parameter in an example. */
export function toExample({ examples, schema }: Parameter): string {
  const [example] = Object.values(examples)
  return String(example?.value ?? schema.default ?? '')
}

/** Formats a text that the page's script adds a copy button to. */
export function formatFigure(caption: string, code: Html): Html {
  return html`<figure><figcaption>${caption}</figcaption>
<pre tabindex="0">${code}</pre></figure>`
}

/** Formats the request of an operation for a shell. */
export function formatCurl(path: string, operation: Operation): Html {
  return formatFigure('curl', html`curl '${toUrl(path, operation)}'`)
}

/** Formats requests of an operation for a shell, JavaScript and Python. None loses a digit of a number. */
export function formatSnippets(path: string, operation: Operation): readonly Html[] {
  const url = toUrl(path, operation)
  const isExact = JSON.stringify(operation.responses['200']).includes('"format":"decimal"')
  const programs = Object.entries(isExact ? toExactPrograms(url) : toPrograms(url))
  return [formatCurl(path, operation), ...programs.map(([language, code]) => formatFigure(language, code))]
}

function toUrl(path: string, { parameters }: Operation): Html {
  const filled = parameters.reduce((url, one) => url.replace(`{${one.name}}`, toExample(one)), path)
  return html`<span class="url">${exampleBaseUrl}${filled}</span>`
}

function toPrograms(url: Html) {
  return {
    JavaScript: html`const response = await fetch('${url}')
console.log(await response.text())`,
    Python: html`from urllib.request import urlopen

print(urlopen('${url}').read().decode())`,
  }
}

/** The programs print the record with every digit, or the detail of the problem and end with the status 1. */
function toExactPrograms(url: Html) {
  return {
    JavaScript: html`// Node 22 or later. Browsers: Chrome 114, Firefox 135, Safari 18.4
// These become strings, with every digit.
const exact = ['price', 'sharePrice', 'multiplier']
const keepDigits = (name, value, { source }) =>
  exact.includes(name) && value !== null ? source : value

const response = await fetch('${url}')
const body = JSON.parse(await response.text(), keepDigits)
if (!response.ok) {
  console.error(body.detail)
  process.exit(1)
}
console.log(body)`,
    Python: html`# Python 3.8 or later
import json, sys
from decimal import Decimal
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    response = urlopen('${url}')
except HTTPError as problem:
    sys.exit(json.load(problem)['detail'])
print(json.load(response, parse_float=Decimal))`,
  }
}
