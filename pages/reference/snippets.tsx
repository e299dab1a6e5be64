import { parameters } from '../../api/routes.ts'
import { exampleBaseUrl } from '../../api/schemas/openapi.ts'
import { exactFields } from '../../api/schemas/record.ts'

/** The URL of one price. The page's script replaces its base URL by that of the deployment. */
function Url() {
  return <span class="url">{`${exampleBaseUrl}/price/${parameters.symbol.example}`}</span>
}

export function Curl() {
  return (
    <pre>
      curl '<Url />'
    </pre>
  )
}

/** Requests of a price for JavaScript and Python. None loses a digit of a number. */
export function Snippets() {
  return (
    <details>
      <summary>JavaScript and Python, with every digit of the numbers</summary>
      <pre>
        {`// Node 22 or later. Browsers: Chrome 114, Firefox 135, Safari 18.4
// These become strings, with every digit.
const exact = [${exactFields.map(field => `'${field}'`).join(', ')}]
const keepDigits = (name, value, { source }) =>
  exact.includes(name) && value !== null ? source : value

const response = await fetch('`}
        <Url />
        {`')
if (!response.ok) {
  const { detail } = Object(await response.json().catch(() => undefined))
  throw new Error(\`HTTP \${response.status}: \${detail}\`)
}
console.log(JSON.parse(await response.text(), keepDigits))`}
      </pre>
      <pre>
        {`# Python 3.8 or later
import json, sys
from decimal import Decimal
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    response = urlopen('`}
        <Url />
        {`')
except HTTPError as problem:
    sys.exit(json.load(problem)['detail'])
print(json.load(response, parse_float=Decimal))`}
      </pre>
    </details>
  )
}
