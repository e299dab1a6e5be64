import { z } from 'zod'
import { listedPrice, priceList, unreadableFeed } from '../../api/schemas/list.ts'
import { type Examples, toJsonSchema } from '../../api/schemas/openapi.ts'
import { problemBody } from '../../api/schemas/problem-body.ts'
import { priceRecord } from '../../api/schemas/record.ts'
import { toUnknownSymbol } from '../../lambda/feeds/unknown-symbol.ts'
import { Prose, Table } from './prose.tsx'

/** An object of the API. A field that a former object has is not repeated. */
const objects = [
  { id: 'PriceRecord', title: 'A price', schema: priceRecord, without: [] },
  { id: 'PriceList', title: 'The list', schema: priceList, without: [] },
  { id: 'ListedPrice', title: 'A feed of the list: a price, and', schema: listedPrice, without: [priceRecord] },
  { id: 'UnreadableFeed', title: 'A feed that cannot be read', schema: unreadableFeed, without: [listedPrice] },
  { id: 'Problem', title: 'A problem', schema: problemBody, without: [] },
]

export function Fields({ examples: { PriceList } }: { readonly examples: Examples }) {
  const Problem = { summary: 'GET /price/APPL', value: toUnknownSymbol('mainnet', 'APPL').body }
  const examples: Readonly<Record<string, Examples['PriceList']>> = { PriceList, Problem }
  return objects.map(({ id, title, schema, without }) => {
    const known = without.flatMap(object => Object.keys(object.shape))
    const example = examples[id]
    const fields = Object.entries(schema.shape).filter(([field]) => !known.includes(field))
    return (
      <>
        <h3 id={id}>{title}</h3>
        {example && (
          <details>
            <summary>{`Example: ${example.summary}`}</summary>
            <pre>{JSON.stringify(example.value, null, 2)}</pre>
          </details>
        )}
        <Table
          columns={['field', 'type', 'meaning']}
          rows={fields.map(([field, type]) => [
            `${id}.${field}`,
            <code>{field}</code>,
            toTypeName(type),
            <Prose>{toMeaning(field, type)}</Prose>,
          ])}
        />
      </>
    )
  })
}

function toTypeName(type: z.ZodType): string {
  const { type: name = 'string' } = toJsonSchema(type instanceof z.ZodOptional ? type.unwrap() : type)
  return [name].flat().join(' or ')
}

/** What another section explains is a link. */
function toMeaning(field: string, type: z.ZodType): string {
  if (field === 'status' && type === priceRecord.shape.status)
    return "The feed's own status: see [Statuses](#statuses)."
  if (type instanceof z.ZodObject && field === 'problem') return 'Why it cannot be read: a [problem](#Problem).'
  if (type instanceof z.ZodObject) return 'Links to the block explorer: `feed` and `token`.'
  if (type.description === undefined) throw new Error(`The field ${field} has no description.`)
  return type.description
}
