// The edge's CloudFront Function for viewer requests (D27). It gives all requests for one price the same cache key, and
// it responds to those that need no origin. The stack writes the constants `networks`, `defaultNetwork`,
// `unknownNetwork` and `unknownRoute` before this text.
//
// Its runtime, 2.0, has `const` and arrow functions, but neither destructuring nor optional chaining.
// @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const request = event.request
  if (!/^(GET|HEAD|OPTIONS)$/.test(request.method)) return unknownRoute
  const querystring = request.querystring
  request.querystring = {}
  // API Gateway ignores one slash at the end.
  request.uri = request.uri.replace(/([^/])\/$/, '$1')
  // No other path reaches the origin, which could read `/%70rice` or `/docs/../price` as the default network's price.
  const match = /^\/(?:(?:openapi\.json|docs)?|price(?:\/([^/]+))?)$/.exec(request.uri)
  if (match === null) return unknownRoute
  // Documents and preflights are the same for all networks.
  if (!request.uri.startsWith('/price') || request.method === 'OPTIONS') return request

  if (isAmbiguous(querystring)) return unknownNetwork
  const name = toNetworkName(querystring.network)
  const network = networks.find(one => one.name === name)
  if (network === undefined) return unknownNetwork
  if (name !== defaultNetwork) request.querystring = { network: { value: name } }
  if (match[1] === undefined) return request

  const isRequested = one => one.toLowerCase() === match[1].toLowerCase()
  const symbol = network.symbols.find(isRequested)
  if (symbol === undefined) return toUnknownSymbol(network, isRequested)
  request.uri = `/price/${symbol}`
  return request
}

// API Gateway decodes names, and separates parameters by `;` too. It may find a network where CloudFront finds none.
function isAmbiguous(querystring) {
  return Object.keys(querystring).some(name => {
    const values = querystring[name].multiValue || [querystring[name]]
    return /[%;+]/.test(name) || values.some(one => one.value.includes(';'))
  })
}

// The last of several values counts, and none or an empty one is the default (D6).
function toNetworkName(parameter) {
  if (parameter === undefined) return defaultNetwork
  const values = parameter.multiValue || [parameter]
  const value = values[values.length - 1].value
  try {
    return decodeURIComponent(value) || defaultNetwork
  } catch (_) {
    return value
  }
}

function toUnknownSymbol(network, isRequested) {
  const hints = networks.map(one => {
    const symbol = one.symbols.find(isRequested)
    return symbol === undefined ? '' : one.hint.replace('{symbol}', symbol)
  })
  const text = network.unknownSymbol.body.data.replace('{hints}', hints.join(''))
  return Object.assign({}, network.unknownSymbol, { body: { encoding: 'text', data: text } })
}
