import type { Template } from '../../local/template.ts'
import {
  chooseByAccept,
  isPrice,
  mixNetworks,
  mixSymbolsOnce,
  onlyAt,
  passBodies,
  replayFor30s,
  throttleOnce,
  unavailable,
} from './alterations.ts'
import type { Alter } from './altering-proxy.ts'

/** A deployment that is not quite ours, and the promises that it breaks. */
export interface Deployment {
  readonly args?: string[]
  readonly template?: (template: Template) => Template
  readonly alter?: () => Alter
  readonly keepsUrls?: boolean
  readonly breaks: string[]
}

const board = 'the board runs its own script and style alone'
const description = 'the description tells of every path'

/** Every one that is tried, by what it is. */
export const deployments = {
  'ours breaks none': { breaks: [] },
  'ours throttles for a moment': { alter: throttleOnce, breaks: [] },
  'ours without a cache': { args: ['--no-cache'], template: t => ({ ...t, cacheCluster: false }), breaks: [] },
  'one without CORS': {
    alter: () => answer => {
      if (isPrice(answer)) delete answer.headers['access-control-allow-origin']
      return answer
    },
    breaks: ['any origin may read every answer'],
  },
  'one with max-age': {
    alter: () => answer => {
      if (isPrice(answer)) answer.headers['cache-control'] += ', max-age=10'
      return answer
    },
    breaks: ['a success may be shown until 10 s after its read'],
  },
  'one that lets problems be stored': {
    alter: () => answer => {
      if (answer.status === 400) answer.headers['cache-control'] = 'public'
      return answer
    },
    breaks: ['a problem may not be stored'],
  },
  'one that rounds multipliers': {
    alter: () => answer => ({
      ...answer,
      text: answer.text.replace(/"multiplier":([\d.]+)/g, (_, digits) => `"multiplier":${Number(digits)}`),
    }),
    breaks: ['mainnet: every number is exact'],
  },
  'one that rounds a price': {
    alter: () => answer => ({ ...answer, text: answer.text.replace('"price":48.0234,', '"price":48.02,') }),
    breaks: ['mainnet: every number is exact'],
  },
  'one that turns fields around': {
    alter: () => answer => ({
      ...answer,
      text: answer.text.replace(/("observedAt":\d+),("observedAtIso":"[^"]+")/, '$2,$1'),
    }),
    breaks: [
      'mainnet: the list has the fields promised',
      'testnet: the list has the fields promised',
      'mainnet: every feed answers at its URL',
      'testnet: every feed answers at its URL',
    ],
  },
  'one whose price is no JSON': {
    alter:
      () =>
      (answer, { path }) => {
        if (path === '/price/HIMS') answer.headers['content-type'] = 'text/html'
        return answer
      },
    breaks: ['mainnet: every feed answers at its URL'],
  },
  'one with API Gateway’s own 403': {
    alter:
      () =>
      (answer, { path }) =>
        path === '/prices' ? { ...answer, status: 403 } : answer,
    breaks: ['an unknown path is 404'],
  },
  'one that allows no header': {
    alter:
      () =>
      (answer, { method }) => {
        if (method === 'OPTIONS') delete answer.headers['access-control-allow-headers']
        return answer
      },
    breaks: ['a preflight is 204'],
  },
  'one whose preflights let any body through': {
    template: t => ({ ...t, routes: t.routes.map(passBodies) }),
    breaks: ['a preflight with a content type is no failure'],
  },
  'one whose Velocity eats a reference of the board’s script': {
    alter: onlyAt('/', text => text.replace('${', '')),
    breaks: [board],
  },
  'one whose board loads a script from elsewhere': {
    alter: onlyAt('/', text => text.replace('</body>', '<script src="//evil.example/x.js"></script></body>')),
    breaks: [board],
  },
  'one whose board has no policy': {
    alter:
      () =>
      (answer, { path }) => {
        if (path === '/') delete answer.headers['content-security-policy']
        return answer
      },
    breaks: [board],
  },
  'one that describes another path': {
    alter: onlyAt('/openapi.json', text => text.replace('"/price/{symbol}":', '"/price/{ticker}":')),
    breaks: [description],
  },
  'one that chooses documents by Accept': { alter: chooseByAccept, breaks: [board, description] },
  'one at another URL than it says': {
    keepsUrls: true,
    breaks: ['mainnet: the list’s URLs are below the base URL', 'testnet: the list’s URLs are below the base URL'],
  },
  'one whose testnet is away': {
    alter:
      () =>
      (answer, { path }) =>
        path.includes('network=testnet') ? { ...unavailable } : answer,
    breaks: ['testnet: the list answers', 'an unknown symbol is 404'],
  },
  'one that caches for 30 seconds': {
    alter: replayFor30s,
    breaks: ['a price is read anew after 10 s', 'the list is read anew after 10 s'],
  },
  'one that mixes networks': { alter: mixNetworks, breaks: ['the network is in the cache’s key'] },
  'one that mixes symbols': { alter: mixSymbolsOnce, breaks: ['the symbol is in the cache’s key'] },
  'one that does not cache': {
    template: t => ({ ...t, cacheCluster: false }),
    breaks: ['a price asked twice is one read', 'the list asked twice is one read'],
  },
  'one that caches against its word': {
    args: ['--no-cache'],
    breaks: ['a price asked twice is two reads', 'the list asked twice is two reads'],
  },
} satisfies Record<string, Deployment>
