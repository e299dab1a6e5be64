// Prints one price, share price and multiplier with every digit: node price.mjs https://…/v1 CRWD [testnet]
// Node 22 or later: JSON.parse of Node 20 has no `source`.
if (!('rawJSON' in JSON)) exit(2, `Node 22 or later is needed, and this is ${process.version}.`)
const [baseUrl, symbol, network = ''] = process.argv.slice(2)
if (symbol === undefined) exit(2, 'node price.mjs https://…/v1 CRWD [testnet] (Node 22 or later)')

const url = `${baseUrl.replace(/\/$/, '')}/price/${encodeURIComponent(symbol)}?${new URLSearchParams({ network })}`
// The gateway responds within 12 seconds.
const response = await fetch(url, { signal: AbortSignal.timeout(15_000) }).catch(error =>
  exit(1, `No response: ${error.cause?.message || error.message}`),
)

// Strings keep every digit. Doubles would round.
const exact = ['price', 'sharePrice', 'multiplier']
const keepDigits = (name, value, { source }) => (exact.includes(name) && value !== null ? source : value)
const body = await response
  .text()
  .then(text => JSON.parse(text, keepDigits))
  .catch(() => exit(1, `No JSON: HTTP ${response.status}`))
if (body?.symbol === undefined)
  exit(1, body?.title ? `${body.title}: ${body.detail}` : `No price: HTTP ${response.status}`)
for (const name of exact) console.log(`${name} ${body[name] ?? '-'}`)
console.log(body.servesLatestRoundData ? `${body.status}, served` : `${body.status}, not served`)

function exit(code, sentence) {
  console.error(sentence)
  process.exit(code)
}
