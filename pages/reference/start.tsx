import { about } from '../../api/about.ts'
import { type Examples, exampleBaseUrl } from '../../api/openapi.ts'
import { priceRoutes } from '../../api/routes.ts'
import { Figure, Prose } from './prose.tsx'
import { Curl } from './snippets.tsx'

/** The first thing to try: the request of a price, and the body of its response. The text about the API is beside it. */
export function Start({ examples }: { readonly examples: Examples }) {
  const [body] = Object.values(examples.PriceRecord)
  return (
    <section class="start" aria-labelledby="start">
      <div class="text">
        <h2 id="start">Start</h2>
        <p>
          Base URL: <code class="url">{exampleBaseUrl}</code>{' '}
          <noscript>
            (an example: take the address of this page, without <code>/docs</code>)
          </noscript>
        </p>
        {priceRoutes
          .filter(({ success }) => success === 'PriceRecord')
          .map(route => (
            <Curl route={route} />
          ))}
      </div>
      <div class="code">
        <Figure caption="Response">{JSON.stringify(body, null, 2)}</Figure>
      </div>
      <div class="text">
        <h2 id="about">About</h2>
        <Prose>{about.description}</Prose>
      </div>
    </section>
  )
}
