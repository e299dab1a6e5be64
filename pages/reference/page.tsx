import type { ComponentType } from 'preact'
import { renderToStaticMarkup } from 'preact-render-to-string'
import { about, details, essentials, introduction, terms } from '../../api/about.ts'
import { type Examples, exampleBaseUrl } from '../../api/schemas/openapi.ts'
import { Fields } from './fields.tsx'
import { Problems } from './problems.tsx'
import { Prose } from './prose.tsx'
import { Routes } from './routes.tsx'
import { Curl, Snippets } from './snippets.tsx'
import { Statuses } from './statuses.tsx'

/** The sections: their anchors, titles and contents. */
const sections: readonly (readonly [id: string, title: string, Content: ComponentType<ReferenceProps>])[] = [
  ['start', 'Quick start', QuickStart],
  ['routes', 'Routes', Routes],
  ['fields', 'Fields', Fields],
  ['statuses', 'Statuses', Statuses],
  ['problems', 'Problems', Problems],
  ['about', 'Access, age, compatibility, other requests', () => <Prose>{details}</Prose>],
]

interface ReferenceProps {
  readonly examples: Examples
}

/** Formats the content of the reference: what the API is, for people. Links to other documents begin with `/`. */
export function formatReference(examples: Examples): string {
  return renderToStaticMarkup(<Reference examples={examples} />)
}

function Reference({ examples }: ReferenceProps) {
  return (
    <>
      <header>
        <h1>{about.title} API</h1>
        <a href="/">Board</a>
        <a href="/openapi.json">openapi.json</a>
      </header>
      <main>
        <Prose>{`${about.summary} ${introduction}`}</Prose>
        <nav aria-label="Contents">
          {sections.map(([id, title]) => (
            <a href={`#${id}`}>{title}</a>
          ))}
        </nav>
        {sections.map(([id, title, Content]) => (
          <section aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            <Content examples={examples} />
          </section>
        ))}
      </main>
    </>
  )
}

function QuickStart({ examples }: ReferenceProps) {
  return (
    <>
      <p>
        Base URL: <code class="url">{exampleBaseUrl}</code>{' '}
        <noscript>
          (an example: take the address of this page, without <code>/docs</code>)
        </noscript>
      </p>
      <Curl />
      <pre>{JSON.stringify(examples.PriceRecord.value, null, 2)}</pre>
      <Prose>{terms}</Prose>
      <Prose>{essentials}</Prose>
      <Snippets />
    </>
  )
}
