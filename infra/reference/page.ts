import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Description, type Operation, parseDescription } from './description.ts'
import { formatObjects, listObjects } from './fields.ts'
import { type Html, html, toProse } from './html.ts'
import { formatOperation } from './operation.ts'
import { formatProblems } from './problems.ts'
import { exampleBaseUrl, formatCurl, formatFigure } from './snippets.ts'

/**
 * Formats the API's description as a page for people. Links are relative to `/docs`.
 *
 * @throws {z.ZodError} when the description has a part that the page would not show
 */
export function formatReference(parsed: unknown): string {
  const description = parseDescription(parsed)
  const { title, version, summary } = description.info
  const { prices, pages } = groupOperations(description)
  const first = prices.find(([path]) => path.includes('{'))
  return html`<!doctype html>
<html lang="en">
${formatHead(description)}
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header>
<h1>${title}: API reference</h1>
<p class="about">${summary} Version ${version}. For tools: <a class="sibling" href="openapi.json">openapi.json</a>.
Every price on one page: <a class="sibling" href="./">the board</a>.</p>
</header>
${formatContents(description)}
<main id="main" tabindex="-1">
${first && formatStart(...first)}
<section aria-labelledby="about">
<h2 id="about">About</h2>
${toProse(description.info.description)}
</section>
${prices.map(([path, operation]) => formatOperation(path, operation))}
<section aria-labelledby="fields">
<h2 id="fields">Fields</h2>
${formatObjects(description)}
</section>
<section aria-labelledby="problems">
<h2 id="problems">Problems</h2>
<p>The <code>type</code> of a problem is stable. Its sentences are for people.</p>
${formatProblems(description)}
</section>
${formatPages(pages)}
<datalist id="symbols">${listSymbols()}</datalist>
</main>
<!-- script -->
</body>
</html>`.html
}

function formatHead({ info: { title, summary } }: Description): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title}: API reference</title>
<link rel="service-desc" type="application/json" href="openapi.json">
<link rel="service-doc" type="text/html" href="docs">
<!-- style -->
</head>`
}

function groupOperations({ paths }: Description) {
  const all = Object.entries(paths).map(([path, { get }]) => [path, get] as const)
  const isPage = ({ tags }: Operation) => tags.includes('pages')
  return {
    prices: all.filter(([, operation]) => !isPage(operation)),
    pages: all.filter(([, operation]) => isPage(operation)),
  }
}

function formatPages(pages: readonly (readonly [path: string, Operation])[]): Html {
  const details = pages.map(
    ([path, operation]) => html`<details><summary><code>GET ${path}</code> ${operation.summary}</summary>
${formatOperation(path, operation)}</details>`,
  )
  return html`<section class="pages" aria-labelledby="pages">
<h2 id="pages">Pages and documents</h2>
${details}
</section>`
}

/** Formats the first thing to try: a request, and the body of its response. */
function formatStart(path: string, operation: Operation): Html {
  const bodies = Object.values(operation.responses['200']?.content ?? {})
  const [example] = bodies.flatMap(({ examples }) => Object.values(examples))
  return html`<section class="start" aria-labelledby="start">
<div class="text">
<h2 id="start">Start</h2>
<p>Base URL: <code class="url">${exampleBaseUrl}</code> <noscript>(an example: take the address of this page, without
<code>/docs</code>)</noscript></p>
${formatCurl(path, operation)}
</div>
<div class="code">
${formatFigure('Response', html`${JSON.stringify(example?.value, null, 2)}`)}
</div>
</section>`
}

function formatContents(description: Description): Html {
  const { prices } = groupOperations(description)
  const objects = listObjects(description.components).map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)
  return html`<nav aria-label="Contents"><ul>
<li><a href="#start">Start</a></li>
<li><a href="#about">About</a></li>
${prices.map(([path, { operationId }]) => html`<li><a href="#${operationId}"><code>GET ${path}</code></a></li>`)}
<li><a href="#fields">Fields</a><ul>${objects}</ul></li>
<li><a href="#problems">Problems</a></li>
<li><a href="#pages">Pages and documents</a></li>
</ul></nav>`
}

/** Lists the symbols that a field for one suggests, with the network and the name. */
function listSymbols(): readonly Html[] {
  return Object.entries(registry).flatMap(([network, feeds]) =>
    feeds.map(({ symbol, name }) => html`<option value="${symbol}">${name}, ${network}</option>`),
  )
}
