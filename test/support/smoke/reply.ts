import type { Reply } from '../../../smoke/client.ts'

const common = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' }

/** Makes a reply as the client does, but with doubles as its numbers. */
export function toReply(path: string, json: object, headers: Record<string, string> = {}, status = 200): Reply {
  const all = new Headers({ ...common, ...headers })
  return { method: 'GET', path, status, headers: all, text: JSON.stringify(json), fields: { ...json } }
}
