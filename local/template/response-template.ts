import { parse, render } from 'velocityjs'
import { parseList, parseRecord, TemplateNotUnderstood } from './values.ts'

/**
 * Renders a response template, in Velocity as API Gateway does, where it says nothing but texts and references to texts of its own.
 *
 * @throws {TemplateNotUnderstood} for everything else, which would be answered with what a request, or API Gateway, has to say.
 */
export function renderResponseTemplate(template: string, where: string): string {
  const known = new Set<unknown>()
  for (const node of parseNodes(template, where)) {
    if (typeof node === 'string') refuseSigns(node, where)
    else if (node.type === 'set') known.add(parseSet(node, where))
    else refuseUnknown(node, known, where)
  }
  return render(template)
}

function parseNodes(template: string, where: string): ReturnType<typeof parse> {
  try {
    return parse(template)
  } catch {
    return refuse('the syntax', where)
  }
}

/** A sign on its own, or escaped, is a text in one version of Velocity and not in another. */
function refuseSigns(text: string, where: string): void {
  const [sign] = /[$#].{0,20}/.exec(text) ?? []
  if (sign !== undefined) refuse(sign, where)
}

/** Gives the name that is set to a plain text, in single quotes. */
function parseSet(node: object, where: string): unknown {
  const { equal } = parseRecord(node, where)
  const [variable, value] = parseList(equal, where).map(side => parseRecord(side, where))
  const isPlain = variable?.['path'] === undefined && value?.['type'] === 'string' && value['isEval'] === undefined
  return isPlain ? variable?.['id'] : refuse('such a #set', where)
}

function refuseUnknown(node: object, known: ReadonlySet<unknown>, where: string): void {
  if (Array.isArray(node)) refuse('a block', where)
  const { type, id, path, leader } = parseRecord(node, where)
  if (type !== 'references') refuse(`a ${type}`, where)
  if (!known.has(id) || path !== undefined || leader !== '$') refuse(`the reference ${id}`, where)
}

function refuse(what: string, where: string): never {
  throw new TemplateNotUnderstood(where, `the local gateway does not understand ${what} in a response template.`)
}
