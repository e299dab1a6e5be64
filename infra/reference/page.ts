import { type Description, parseDescription } from './description.ts'
import { formatObjects, listObjects } from './fields.ts'
import { type Html, html, toProse } from './html.ts'
import { formatOperation } from './operation.ts'
import { formatProblems } from './problems.ts'
import { exampleBaseUrl } from './snippets.ts'

/**
 * Formats the API's description as a page for people. Links are relative to `/docs`.
 *
 * @throws {z.ZodError} when the description has a part that the page would not show
 */
export function formatReference(parsed: unknown): string {
  const description = parseDescription(parsed)
  const { title, version, summary } = description.info
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title}: API reference</title>
<!-- style -->
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header>
<h1>${title}: API reference</h1>
<p class="about">${summary}</p>
<p class="about">Version ${version}. For tools: <a class="sibling" href="openapi.json">openapi.json</a>. Every price on one page:
<a class="sibling" href="./">the board</a>.</p>
</header>
${formatContents(description)}
<main id="main" tabindex="-1">
<section aria-labelledby="about">
<h2 id="about">About</h2>
${toProse(description.info.description)}
<p>Base URL: <code class="url">${exampleBaseUrl}</code> <noscript>(an example: take the address of this page, without
<code>/docs</code>)</noscript></p>
</section>
${Object.entries(description.paths).map(([path, { get }]) => formatOperation(path, get))}
<section aria-labelledby="fields">
<h2 id="fields">Fields</h2>
${formatObjects(description)}
</section>
<section aria-labelledby="problems">
<h2 id="problems">Problems</h2>
<p>The <code>type</code> of a problem is stable. Its sentences are for people.</p>
${formatProblems(description)}
</section>
</main>
<!-- script -->
</body>
</html>`.html
}

function formatContents({ paths, components }: Description): Html {
  const operations = Object.entries(paths).map(([path, { get }]) => [get.operationId, `GET ${path}`] as const)
  return html`<nav aria-label="Contents"><ul>
<li><a href="#about">About</a></li>
${operations.map(([id, text]) => html`<li><a href="#${id}"><code>${text}</code></a></li>`)}
<li><a href="#fields">Fields</a><ul>${listObjects(components).map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)}</ul></li>
<li><a href="#problems">Problems</a></li>
</ul></nav>`
}
