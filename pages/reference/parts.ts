import { z } from 'zod'
import { details, essentials, exactNumbers, introduction, problemAdvice, terms } from '../../api/about.ts'
import { keysOf } from '../../api/keys-of.ts'
import { problemSlugs } from '../../api/problems.ts'
import { listProblems, preflightProblems, problemsElsewhere } from '../../api/responses.ts'
import { parameters, priceRoutes } from '../../api/routes.ts'
import { listedPrice, priceList, unreadableFeed } from '../../api/schemas/list.ts'
import { type Examples, toJsonSchema } from '../../api/schemas/openapi.ts'
import { problemBody } from '../../api/schemas/problem-body.ts'
import { priceRecord, recordOrigin } from '../../api/schemas/record.ts'
import { statusDetails, statusMeanings, statusServed, statusTerms, toStatusId } from '../../api/statuses.ts'
import { feedsOf, findFeed } from '../../lambda/feeds/registry.ts'
import { toUnknownSymbol } from '../../lambda/feeds/unknown-symbol.ts'
import { toAnchor } from './render.ts'

/**
 * Writes the parts of `docs/api.md` whose facts are in `api`, each between two comments with its name:
 * `<!-- statuses -->` and `<!-- /statuses -->`.
 *
 * @throws {Error} with the names of parts that are missing in the document, or that are not known here
 */
export function writeParts(document: string, examples: Examples): string {
  const parts = createParts(examples)
  const found: string[] = []
  const written = document.replaceAll(/^<!-- ([a-z ]+) -->$.*?^<!-- \/\1 -->$/gms, (_, name: string) => {
    found.push(name)
    return linkTerms(`<!-- ${name} -->\n\n${parts.get(name)}\n\n<!-- /${name} -->`)
  })
  const wrong = [
    ...[...parts.keys()].filter(name => !found.includes(name)).map(name => `the part "${name}" is missing`),
    ...found.filter(name => !parts.has(name)).map(name => `the part "${name}" is not known`),
  ]
  if (wrong.length > 0) throw new Error(`In docs/api.md, ${wrong.join(', ')}. See pages/reference/parts.ts.`)
  return written
}

/**
 * Links a term that is in italics to the same term in bold. The description of the API, which has the same texts, has
 * no anchors.
 */
function linkTerms(markdown: string): string {
  return markdown.replaceAll(/(\*\*?)(A served price can be wrong|Age)\1/g, (marked, mark: string, term: string) =>
    mark === '*' ? `[${term}](#${toAnchor(term)})` : `<a id="${toAnchor(term)}"></a>${marked}`,
  )
}

/** Creates the Markdown of every part, by its name. */
function createParts(examples: Examples): ReadonlyMap<string, string> {
  return new Map([
    ['introduction', introduction],
    ['example', formatJson(examples.PriceRecord.value)],
    ['terms', terms],
    ['essentials', essentials],
    ['exact numbers', exactNumbers],
    ['routes', formatRoutes()],
    ['fields', formatFields(examples)],
    ['statuses', formatStatuses()],
    ['terms of the statuses', statusTerms],
    ['problems', formatProblems()],
    ['after a problem', problemAdvice],
    ['details', details],
  ])
}

/** A row of a table. Its first cell begins with an anchor, by which the row can be cited. */
type Row = readonly [anchor: string, ...cells: string[]]

function formatTable(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(([anchor, first, ...others]) => [`<a id="${anchor}"></a>${first}`, ...others])
  const toLine = (cells: readonly string[]) => `| ${cells.map(toCell).join(' | ')} |`
  return [toLine(columns), `|${'---|'.repeat(columns.length)}`, ...lines.map(toLine)].join('\n')
}

/** A cell is on one line, and a vertical bar would end it. */
function toCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

function formatJson(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

function formatRoutes(): string {
  const routes = priceRoutes.map(({ path, operationId, description }): Row => {
    const example = path.replace('{symbol}', parameters.symbol.example)
    return [operationId, `\`GET ${path}\``, description, `\`${example}\``]
  })
  const ofRoutes = Object.entries(parameters).map(
    ([name, { in: place, description }]): Row => [`parameter-${name}`, `\`${name}\``, place, description],
  )
  return [
    formatTable(['route', 'response', 'example'], routes),
    formatTable(['parameter', 'place', 'meaning'], ofRoutes),
  ].join('\n\n')
}

/** The objects of the API. The fields that `without` has are not repeated. */
const objects = [
  {
    id: 'PriceRecord',
    title: 'A price',
    introduction: recordOrigin,
    schema: priceRecord,
    without: undefined,
  },
  { id: 'PriceList', title: 'The list', introduction: undefined, schema: priceList, without: undefined },
  {
    id: 'ListedPrice',
    title: 'A feed of the list',
    introduction: 'It has the fields of a price, and besides:',
    schema: listedPrice,
    without: priceRecord,
  },
  {
    id: 'UnreadableFeed',
    title: 'A feed of the list that cannot be read',
    introduction: `It has ${formatNames(unreadableFeed, listedPrice)}, no other field of a price, and besides:`,
    schema: unreadableFeed,
    without: listedPrice,
  },
  { id: 'Problem', title: 'A problem', introduction: undefined, schema: problemBody, without: undefined },
]

/** Formats the names of the fields that two objects have: `` `symbol`, `name` and `url` ``. */
function formatNames(object: z.ZodObject, other: z.ZodObject): string {
  const names = Object.keys(object.shape).filter(field => field in other.shape)
  return new Intl.ListFormat('en-GB').format(names.map(name => `\`${name}\``))
}

function formatFields({ PriceList }: Examples): string {
  const symbol = findUnknownSymbol()
  const Problem = { summary: `GET /price/${symbol}`, value: toUnknownSymbol('mainnet', symbol).body }
  const examples: ReadonlyMap<string, Examples['PriceList']> = new Map([
    ['PriceList', PriceList],
    ['Problem', Problem],
  ])
  return objects
    .flatMap(({ id, title, introduction = [], schema, without }) => {
      const known = Object.keys(without?.shape ?? {})
      const fields = Object.entries(schema.shape).filter(([field]) => !known.includes(field))
      const rows = fields.map(
        ([field, type]): Row => [`${id}.${field}`, `\`${field}\``, toTypeName(type), toMeaning(field, type)],
      )
      const example = examples.get(id)
      return [
        `### ${title}`,
        introduction,
        example === undefined ? [] : formatExample(example),
        formatTable(['field', 'type', 'meaning'], rows),
      ].flat()
    })
    .join('\n\n')
}

/**
 * Finds a symbol that the mainnet does not have: if possible one of the testnet, which the example of a problem names.
 */
function findUnknownSymbol(): string {
  const unknown = feedsOf('testnet').find(({ symbol }) => findFeed('mainnet', symbol) === undefined)
  return unknown?.symbol ?? 'NONE'
}

/** The summary is text: GitHub renders no Markdown in it. */
function formatExample({ summary, value }: Examples['PriceList']): string {
  return `<details>\n<summary>Example: ${summary}</summary>\n\n${formatJson(value)}\n\n</details>`
}

function toTypeName(type: z.ZodType): string {
  const { type: name = 'string' } = toJsonSchema(type instanceof z.ZodOptional ? type.unwrap() : type)
  return [name].flat().join(' or ')
}

/** Returns the meaning of a field, or a link to the section that explains the field. */
function toMeaning(field: string, type: z.ZodType): string {
  if (field === 'status' && type === priceRecord.shape.status)
    return "The feed's own status: see [Statuses](#statuses)."
  if (type instanceof z.ZodObject && field === 'problem') return 'Why it cannot be read: [a problem](#a-problem).'
  if (type instanceof z.ZodObject) return 'Links to the block explorer: `feed` and `token`.'
  if (type.description === undefined) throw new Error(`The field ${field} has no description.`)
  return type.description
}

function formatStatuses(): string {
  const rows = keysOf(statusMeanings).map((status): Row => {
    const meaning = `${statusMeanings[status]}<br><br>${statusDetails[status]}`
    return [toStatusId(status), status, statusServed[status], meaning]
  })
  return formatTable(['status', 'served', 'meaning'], rows)
}

/** Formats every problem of the API, and last what the gateway refuses by itself. */
function formatProblems(): string {
  const all = [...priceRoutes.flatMap(listProblems), ...problemsElsewhere, ...preflightProblems]
  const rows = [...problemSlugs, 'about:blank'].map((slug): Row => {
    const responses = all.filter(response => response.slug === slug)
    const httpStatuses = new Set(responses.map(({ status }) => status))
    const details = new Set(responses.map(({ body }) => body.detail))
    const retryAfter = new Set(responses.flatMap(({ headers }) => headers['Retry-After']?.value ?? []))
    const meaning = [...details, ...[...retryAfter].map(seconds => `\`Retry-After: ${seconds}\``)]
    return [
      `problem-${slug.replace('about:', '')}`,
      `\`${slug}\``,
      [...httpStatuses].toSorted().join(', '),
      meaning.join('<br><br>'),
    ]
  })
  return formatTable(['type ends with', 'HTTP', 'detail, for example'], rows)
}
