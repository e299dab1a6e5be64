import type { Answer } from '../../smoke/client.ts'

const common = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' }

/** Creates an answer as the client would, with doubles as its numbers. */
export function toAnswer(path: string, json: object, headers: Record<string, string> = {}, status = 200): Answer {
  const all = new Headers({ ...common, ...headers })
  return { method: 'GET', path, status, headers: all, text: JSON.stringify(json), json, fields: { ...json } }
}
