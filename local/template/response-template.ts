import { parse, render } from 'velocityjs'
import { z } from 'zod'
import { UnsupportedTemplate } from './cloudformation.ts'

/**
 * Renders a response template (Velocity, VTL) that consists of text and of references to variables that it sets itself.
 *
 * @param path where the template is, for the error
 * @throws {UnsupportedTemplate} for everything else: its output would depend on the request or on API Gateway.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/models-mappings.html
 */
export function renderResponseTemplate(template: string, path: string): string {
  const variables = new Set<string>()
  for (const node of parseNodes(template, path)) {
    const { data } = supportedNode.safeParse(node)
    if (typeof data === 'object' && data.type === 'set') variables.add(data.equal[0].id)
    else if (data === undefined || (typeof data === 'object' && !variables.has(data.id))) reject(node, path)
  }
  return render(template)
}

function parseNodes(template: string, path: string): ReturnType<typeof parse> {
  try {
    return parse(template)
  } catch {
    return reject('its syntax', path)
  }
}

const supportedNode = z.union([
  // Versions of Velocity disagree on a `$` or `#` that stands alone or is escaped.
  z.string().regex(/^[^$#]*$/),
  // `#set($name = 'text')`. In single quotes, the text contains no reference.
  z.object({
    type: z.literal('set'),
    equal: z.tuple([
      z.object({ id: z.string(), path: z.undefined().optional() }),
      z.object({ type: z.literal('string'), isEval: z.undefined().optional() }),
    ]),
  }),
  // `$name` and `${name}`, but not `$!name`, `$name.property` or `$name.method()`.
  z.object({ type: z.literal('references'), id: z.string(), path: z.undefined().optional(), leader: z.literal('$') }),
])

function reject(node: unknown, path: string): never {
  const what = typeof node === 'string' ? node.slice(0, 100) : JSON.stringify(node, ['type', 'id'])
  throw new UnsupportedTemplate(path, `The local gateway does not support ${what} in a response template.`)
}
