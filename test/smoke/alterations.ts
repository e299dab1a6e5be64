import type { Route } from '../../local/template/routes.ts'
import type { Alter, Altered } from './altering-proxy.ts'

/** Tells a success. */
export const isPrice = (answer: Altered) => answer.headers['content-type'] === 'application/json'

/** Leaves a preflight as CDK's own makes it, which lets a body of any type through. */
export const passBodies = (route: Route): Route =>
  route.httpMethod === 'OPTIONS' && route.integration.type === 'MOCK'
    ? { ...route, integration: { ...route.integration, passesOthers: true } }
    : route

/** Changes what is answered at one path. */
export const onlyAt =
  (where: string, change: (text: string) => string) =>
  (): Alter =>
  (answer, { path }) =>
    path === where ? { ...answer, text: change(answer.text) } : answer

/** Answers for either network what the other was answered last, where the symbol is spelled as nobody does. */
export const mixNetworks = (): Alter => {
  const kept = new Map<string, { answer: Altered; query: string }>()
  return (answer, { path }) => {
    const [place = '', query = ''] = path.split('?')
    const found = kept.get(place)
    if (/[a-z]/.test(place.slice(7)) && found !== undefined && found.query !== query) return found.answer
    kept.set(place, { answer, query })
    return answer
  }
}

/** Answers the first request for AAPL with another symbol. */
export const mixSymbolsOnce = (): Alter => {
  let asked = 0
  return (answer, { path }) =>
    path !== '/price/AAPL' || asked++ > 0
      ? answer
      : { ...answer, text: answer.text.replace('"symbol":"AAPL"', '"symbol":"NFLX"') }
}

/** Replays every success for 30 seconds, as it was. */
export const replayFor30s = (): Alter => {
  const kept = new Map<string, Altered & { endsAtMs: number }>()
  return (answer, { method, path }) => {
    if (method !== 'GET' || answer.status !== 200) return answer
    const found = kept.get(path)
    if (found !== undefined && performance.now() < found.endsAtMs) return found
    kept.set(path, { ...answer, endsAtMs: performance.now() + 30_000 })
    return answer
  }
}

/** Answers the first request for HIMS with 429. */
export const throttleOnce = (): Alter => {
  let asked = 0
  return (answer, { path }) => {
    if (path !== '/price/HIMS' || asked++ > 0) return answer
    const headers = { ...answer.headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
    const { expires: _, ...others } = headers as Record<string, string>
    return { status: 429, headers: { ...others, 'retry-after': '1' }, text: '{"title":"Too many requests"}' }
  }
}

/** Answers every second request for a document with another text. */
export const chooseByAccept = (): Alter => {
  const asked = new Map<string, number>()
  return (answer, { path }) => {
    if (path !== '/' && path !== '/openapi.json') return answer
    const count = (asked.get(path) ?? 0) + 1
    asked.set(path, count)
    return count % 2 === 1 ? answer : { ...answer, text: `${answer.text} ` }
  }
}

/** What a chain that is away comes to. */
export const unavailable = {
  status: 503,
  headers: {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  },
  text: JSON.stringify({ type: 'urn:problem-type:price-lookup:chain-unavailable', title: 'Chain unavailable' }),
}
