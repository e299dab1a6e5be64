import { createHash } from 'node:crypto'
import { type Answer, formatAnswer, hasType } from '../answer.ts'
import type { Client } from '../client.ts'
import { paths } from '../contract.ts'
import { fieldsOf, formatJson } from '../json.ts'
import { type Row, toRow } from '../report.ts'

/** Asks for the two documents, the board and the API's description: whether they came through the gateway as they were meant. */
export async function checkDocuments(client: Client): Promise<readonly Row[]> {
  return await Promise.all([
    checkDocument(client, '/', 'the board runs its own script and style alone', findBoardFaults),
    checkDocument(client, '/openapi.json', 'the description tells of every path', findDescriptionFaults),
  ])
}

/** Asks twice, because a gateway could choose by what the caller says it accepts. */
async function checkDocument(
  client: Client,
  path: string,
  promise: string,
  find: (answer: Answer) => readonly string[],
): Promise<Row> {
  const accepted = ['text/html', 'application/json']
  const [answer, ...others] = await Promise.all(accepted.map(Accept => client.ask(path, 'GET', { Accept })))
  if (answer?.status !== 200) return toRow(promise, [answer === undefined ? '' : formatAnswer(answer)], '')
  const faults = [...find(answer)]
  if (answer.headers.get('x-content-type-options') !== 'nosniff') faults.push('its type may be guessed')
  if (others.some(({ text }) => text !== answer.text)) faults.push('Accept changes it')
  return toRow(promise, faults, `${path}: ${Buffer.byteLength(answer.text)} bytes`)
}

/** Says where the page differs from what its policy lets in. Any change of it on its way changes the hashes. */
function findBoardFaults(answer: Answer): readonly string[] {
  const { headers, text } = answer
  const policy = (headers.get('content-security-policy') ?? '').split(/\s*;\s*/)
  const expected = [
    "default-src 'none'",
    "frame-ancestors 'none'",
    `script-src ${toSources(text, 'script')}`,
    `style-src ${toSources(text, 'style')}`,
  ]
  // What a script says is no element, and the vector graphics' namespace is no address.
  const markup = text.replaceAll(/<script>.*?<\/script>/gs, '').replaceAll('http://www.w3.org/2000/svg', '')
  const [elsewhere] = /(https?:)?\/\/[\w.-]+/.exec(markup) ?? []
  return [
    ...(hasType(answer, 'text/html') ? [] : [`its type is ${formatJson(headers.get('content-type'))}`]),
    ...expected.filter(directive => !policy.includes(directive)).map(directive => `its policy lacks ${directive}`),
    ...(elsewhere === undefined ? [] : [`it names ${elsewhere}`]),
  ]
}

/** Gives the hashes of all that stands in the page within a tag. */
function toSources(text: string, tag: string): string {
  const inline = [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))]
  return inline.map(([, inner = '']) => `'sha256-${createHash('sha256').update(inner).digest('base64')}'`).join(' ')
}

function findDescriptionFaults(answer: Answer): readonly string[] {
  const description = fieldsOf(answer.body)
  const version = description.get('openapi')
  const described = [...fieldsOf(description.get('paths')).keys()].sort()
  return [
    ...(hasType(answer, 'application/json') ? [] : [`its type is ${formatJson(answer.headers.get('content-type'))}`]),
    ...(String(version).startsWith('3.1.') ? [] : [`its version is ${formatJson(version)}`]),
    ...(described.join() === paths.join() ? [] : [`its paths are ${described.join(', ') || 'none'}`]),
  ]
}
