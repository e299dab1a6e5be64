import prices from '../docs/prices.json' with { type: 'json' }

/** What is billed by its amount, per second. */
export interface Traffic {
  readonly requests: number
  /** Reads of the chain, each by one function. */
  readonly reads: number
  /** Mean duration of a read. */
  readonly readSeconds: number
  /** The part of the requests that want a list. */
  readonly listShare: number
}

const hoursOfMonth = 730

/** Measured: of one price and of the list, with headers, and of the list with gzip. Assumed: of the lines in both logs. */
const bytes = { price: 1_036, list: 16_063, compressedList: 3_000, accessLog: 450, functionLog: 1_300 }

/** Each of CloudFront's regional caches asks the origin shield once where the shield asks the origin once. */
const regionalCaches = 13

/** Calculates dollars a month from list prices, without volume discounts and fixed costs but the stage cache. */
export function toMonthlyCost({ requests, reads, readSeconds, listShare }: Traffic, hasEdge: boolean): number {
  const million = (count: number, { usd }: { readonly usd: number }) => (count / 1e6) * usd
  const gigabytes = (count: number, size: number, { usd }: { readonly usd: number }) => ((count * size) / 1e9) * usd
  const atGateway = hasEdge ? reads : requests
  const body = listShare * (hasEdge ? bytes.compressedList : bytes.list) + (1 - listShare) * bytes.price
  const perSecond = [
    million(atGateway, prices.apiMillion),
    gigabytes(atGateway, bytes.accessLog, prices.logGb),
    million(reads, prices.functionMillion),
    reads * readSeconds * prices.functionGbSecond.usd,
    gigabytes(reads, bytes.functionLog, prices.logGb),
    gigabytes(requests, body, hasEdge ? prices.edgeOutGb : prices.dataOutGb),
    hasEdge ? million(requests, prices.edgeMillion) + million(requests, prices.edgeFunctionMillion) : 0,
    hasEdge ? million(reads * regionalCaches, prices.edgeShieldMillion) : 0,
  ].reduce((sum, cost) => sum + cost)
  return hoursOfMonth * (3_600 * perSecond + (hasEdge ? 0 : prices.cacheHour.usd))
}
