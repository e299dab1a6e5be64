import type { Operation, Parameter } from './description.ts'
import { type Html, html } from './html.ts'

/** Stands in requests until the page's script replaces it with the URL of its deployment. */
export const exampleBaseUrl = 'https://prices.example/v1'

/** Returns the value of a parameter in an example. */
export function toExample({ examples, schema }: Parameter): string {
  const [example] = Object.values(examples)
  return String(example?.value ?? schema.default ?? '')
}

/** Formats requests of an operation for a shell, JavaScript and Python. None loses a digit of a number. */
export function formatSnippets(path: string, { parameters, responses }: Operation): readonly Html[] {
  const filled = parameters.reduce((url, one) => url.replace(`{${one.name}}`, toExample(one)), path)
  const url = html`<span class="url">${exampleBaseUrl}${filled}</span>`
  const isExact = JSON.stringify(responses['200']).includes('"format":"decimal"')
  const snippets = { curl: html`curl '${url}'`, ...(isExact ? toExactPrograms(url) : toPrograms(url)) }
  return Object.entries(snippets).map(
    ([language, code]) => html`<figure><figcaption>${language}</figcaption>
<pre tabindex="0">${code}</pre></figure>`,
  )
}

function toPrograms(url: Html) {
  return {
    JavaScript: html`const response = await fetch('${url}')
console.log(await response.text())`,
    Python: html`from urllib.request import urlopen

print(urlopen('${url}').read().decode())`,
  }
}

function toExactPrograms(url: Html) {
  return {
    JavaScript: html`const response = await fetch('${url}')
const exact = (_, value, { source }) => (typeof value === 'number' ? source : value)
console.log(JSON.parse(await response.text(), exact)) // numbers as strings, every digit`,
    Python: html`import json
from decimal import Decimal
from urllib.request import urlopen

print(json.load(urlopen('${url}'), parse_float=Decimal))`,
  }
}
