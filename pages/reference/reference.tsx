import { renderToStaticMarkup } from 'preact-render-to-string'
import { about } from '../../api/about.ts'
import type { Examples } from '../../api/openapi.ts'
import { problemDocument } from '../../api/problem-document.ts'
import { listedPrice, priceList, priceRecord, unreadableFeed } from '../../api/record.ts'
import { priceRoutes } from '../../api/routes.ts'
import { type DescribedObject, ObjectFields } from './fields.tsx'
import { PriceOperation } from './operation.tsx'
import { Problems } from './problems.tsx'
import { Start } from './start.tsx'

interface ReferenceProps {
  readonly examples: Examples
  /** The symbols that a field for one suggests. */
  readonly symbols: readonly SuggestedSymbol[]
}

/** A symbol, and what identifies it for people. */
interface SuggestedSymbol {
  readonly symbol: string
  readonly label: string
}

const record = { name: 'PriceRecord', schema: priceRecord }
const objects: readonly DescribedObject[] = [
  record,
  { name: 'ListedPrice', schema: listedPrice, extended: record },
  { name: 'UnreadableFeed', schema: unreadableFeed },
  { name: 'PriceList', schema: priceList },
  { name: 'Explorer', schema: priceRecord.shape.explorer },
  {
    name: 'Problem',
    schema: problemDocument,
    description: 'The body of every problem, `application/problem+json` (RFC 9457). [Problems](#problems) lists them.',
  },
]

/** Formats the content of the reference: what the API is, for people. Links are relative to `/docs`. */
export function formatReference(props: ReferenceProps): string {
  return renderToStaticMarkup(<Reference {...props} />)
}

function Reference({ examples, symbols }: ReferenceProps) {
  const samples = listObjects(examples)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the reference
      </a>
      <header>
        <h1>{about.title}: API reference</h1>
        <p class="about">
          {about.summary} Version {about.version}. For tools:{' '}
          <a class="sibling" href="openapi.json">
            openapi.json
          </a>
          . Every price on one page:{' '}
          <a class="sibling" href="./">
            the board
          </a>
          .
        </p>
      </header>
      <Contents />
      <main id="main" tabIndex={-1}>
        <Start examples={examples} />
        {priceRoutes.map(route => (
          <PriceOperation route={route} examples={examples[route.success]} />
        ))}
        <section aria-labelledby="fields">
          <h2 id="fields">Fields</h2>
          {objects.map(object => (
            <ObjectFields {...object} samples={samples} />
          ))}
        </section>
        <section aria-labelledby="problems">
          <h2 id="problems">Problems</h2>
          <p>
            The <code>type</code> of a problem is stable. Its sentences are for people.
          </p>
          <Problems />
        </section>
        <datalist id="symbols">
          {symbols.map(({ symbol, label }) => (
            <option value={symbol}>{label}</option>
          ))}
        </datalist>
      </main>
    </>
  )
}

function Contents() {
  return (
    <nav aria-label="Contents">
      <ul>
        <li>
          <a href="#start">Start</a>
        </li>
        <li>
          <a href="#about">About</a>
        </li>
        {priceRoutes.map(({ path, operationId }) => (
          <li>
            <a href={`#${operationId}`}>
              <code>GET {path}</code>
            </a>
          </li>
        ))}
        <li>
          <a href="#fields">Fields</a>
          <ul>
            {objects.map(({ name }) => (
              <li>
                <a href={`#${name}`}>{name}</a>
              </li>
            ))}
          </ul>
        </li>
        <li>
          <a href="#problems">Problems</a>
        </li>
      </ul>
    </nav>
  )
}

/** Lists an object and all objects in it. Exact numbers are objects too, without fields. */
function listObjects(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(listObjects)]
}
