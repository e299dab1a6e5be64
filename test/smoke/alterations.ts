import type { Alter, Altered } from './altering-proxy.ts'

/** Alters answers at one path. */
export const at =
  (where: string, change: (answer: Altered) => Altered): Alter =>
  (answer, { path }) =>
    path === where ? change(answer) : answer

/** Alters the first answer at one path. */
export function first(where: string, change: (answer: Altered) => Altered): Alter {
  let count = 0
  return at(where, answer => (count++ === 0 ? change(answer) : answer))
}

/** Sets a header; undefined removes it. */
export const setHeader = (name: string, value?: string) => (answer: Altered) => {
  const { [name]: _, ...others } = answer.headers
  return { ...answer, headers: value === undefined ? others : { ...others, [name]: value } }
}

export const replace = (from: string | RegExp, to: string) => (answer: Altered) => ({
  ...answer,
  text: answer.text.replace(from, to),
})

/** Alters successes of the two routes. */
export const success =
  (change: (answer: Altered) => Altered): Alter =>
  answer =>
    answer.status === 200 && answer.headers['expires'] !== undefined ? change(answer) : answer

/** Replaces an answer by a problem. */
export const toProblem = (status: number, slug: string, title: string) => (): Altered => ({
  status,
  headers: {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'retry-after': '1',
  },
  text: JSON.stringify({ type: `urn:problem-type:price-lookup:${slug}`, title, status, detail: 'Altered.' }),
})
export const toThrottled = toProblem(429, 'too-many-requests', 'Too many requests')
export const toUnavailable = toProblem(503, 'chain-unavailable', 'Chain unavailable')
