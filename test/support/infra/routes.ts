/** What the template must have of each route that a function answers. A new route needs a row. */
export const routes = [
  {
    path: '/price',
    handler: 'list-prices',
    /** The construct of the function. */
    id: 'ListPrices',
    /** Each parameter of the cache key, and whether a request must have it. */
    cacheKey: { 'method.request.querystring.network': false },
  },
  {
    path: '/price/{symbol}',
    handler: 'get-price',
    id: 'GetPrice',
    cacheKey: { 'method.request.querystring.network': false, 'method.request.path.symbol': true },
  },
] as const
