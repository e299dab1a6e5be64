import { renderToStaticMarkup } from 'preact-render-to-string'
import { about, details, essentials, introduction } from '../../api/about.ts'
import { type Examples, exampleBaseUrl } from '../../api/schemas/openapi.ts'
import { Feeds } from './feeds.tsx'
import { Fields } from './fields.tsx'
import { Problems } from './problems.tsx'
import { Prose, Section } from './prose.tsx'
import { Routes } from './routes.tsx'
import { Curl, Snippets } from './snippets.tsx'
import { Statuses } from './statuses.tsx'

/** The sections, by their anchors. */
const titles = {
  start: 'Quick start',
  routes: 'Routes',
  fields: 'Fields',
  statuses: 'Statuses',
  feeds: 'Feeds',
  problems: 'Problems',
  about: 'Access, age, compatibility, other requests',
} as const

/** Formats the content of the reference: what the API is, for people. Links to other documents begin with `/`. */
export function formatReference(examples: Examples): string {
  return renderToStaticMarkup(<Reference examples={examples} />)
}

function Reference({ examples }: { readonly examples: Examples }) {
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
          {Object.entries(titles).map(([id, title]) => (
            <a href={`#${id}`}>{title}</a>
          ))}
        </nav>
        <Section id="start" title={titles.start}>
          <QuickStart examples={examples} />
        </Section>
        <Section id="routes" title={titles.routes}>
          <Routes />
        </Section>
        <Section id="fields" title={titles.fields}>
          <Fields />
        </Section>
        <Section id="statuses" title={titles.statuses}>
          <Statuses />
        </Section>
        <Section id="feeds" title={titles.feeds}>
          <Feeds />
        </Section>
        <Section id="problems" title={titles.problems}>
          <Problems />
        </Section>
        <Section id="about" title={titles.about}>
          <Prose>{details}</Prose>
        </Section>
      </main>
    </>
  )
}

function QuickStart({ examples }: { readonly examples: Examples }) {
  const [record] = Object.values(examples.PriceRecord)
  return (
    <>
      <p>
        Base URL: <code class="url">{exampleBaseUrl}</code>{' '}
        <noscript>
          (an example: take the address of this page, without <code>/docs</code>)
        </noscript>
      </p>
      <Curl />
      <pre>{JSON.stringify(record, null, 2)}</pre>
      <Prose>{essentials}</Prose>
      <Snippets />
    </>
  )
}
