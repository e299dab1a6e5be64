import { exampleBaseUrl } from '../../api/openapi.ts'
import { exactFields } from '../../api/record.ts'
import type { ParameterName, PriceRoute } from '../../api/routes.ts'
import { parameters } from '../../api/routes.ts'
import { Figure } from './prose.tsx'

/** Returns the value of a parameter in an example. */
export function toExample(name: ParameterName): string {
  return parameters[name].example
}

/** The URL of a route. The page's script replaces it by that of the deployment and of the form. */
function Url({ route }: { readonly route: PriceRoute }) {
  const path = route.path.replace(/\{(\w+)\}/g, () => toExample('symbol'))
  return (
    <span class="url">
      {exampleBaseUrl}
      {path}
    </span>
  )
}

/** The request of a route for a shell. */
export function Curl({ route }: { readonly route: PriceRoute }) {
  return (
    <Figure caption="curl">
      curl '<Url route={route} />'
    </Figure>
  )
}

/** Requests of a price route for a shell, JavaScript and Python. None loses a digit of a number. */
export function Snippets({ route }: { readonly route: PriceRoute }) {
  return (
    <>
      <Curl route={route} />
      <Figure caption="JavaScript">
        {`// Node 22 or later. Browsers: Chrome 114, Firefox 135, Safari 18.4
// These become strings, with every digit.
const exact = [${exactFields.map(field => `'${field}'`).join(', ')}]
const keepDigits = (name, value, { source }) =>
  exact.includes(name) && value !== null ? source : value

const response = await fetch('`}
        <Url route={route} />
        {`')
const body = JSON.parse(await response.text(), keepDigits)
if (!response.ok) throw new Error(body.detail)
console.log(body)`}
      </Figure>
      <Figure caption="Python">
        {`# Python 3.8 or later
import json, sys
from decimal import Decimal
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    response = urlopen('`}
        <Url route={route} />
        {`')
except HTTPError as problem:
    sys.exit(json.load(problem)['detail'])
print(json.load(response, parse_float=Decimal))`}
      </Figure>
    </>
  )
}
