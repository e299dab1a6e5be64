import { indentJson } from './indent-json.ts'

/** Longer than the API takes at most. */
const timeoutMs = 15_000

/** How long a button confirms that it has copied. */
const confirmationMs = 1_500

/** The headers of a response that matter to a caller. Only a local run sends the last two. */
const shownHeaders = [
  'Content-Type',
  'Cache-Control',
  'Expires',
  'Date',
  'Age',
  'Retry-After',
  'X-Local-Cache',
  'X-Local-Chains',
]

/** The folder of this page: the API's routes are in it. */
const apiUrl = location.origin + location.pathname.replace(/docs\/?$/, '')

// API Gateway also serves the page with a slash at its end, and relative links would then be wrong.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a.sibling'))
  link.href = new URL(link.getAttribute('href') ?? '', apiUrl).href
// The base URL comes first, and all others begin with it.
const exampleUrl = document.querySelector('.url')?.textContent ?? ''
for (const element of document.querySelectorAll('.url'))
  element.textContent = element.textContent.replace(exampleUrl, apiUrl.replace(/\/$/, ''))
for (const figure of document.querySelectorAll('figure')) addCopyButton(figure)
markCurrentSection()
for (const section of document.querySelectorAll<HTMLElement>('.operation')) enableRequests(section)

/** Marks in the contents the last section whose heading has reached the top of the window: at the end of the page the last. */
function markCurrentSection(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')]
  const mark = () => {
    const isAtEnd = scrollY > 0 && scrollY + innerHeight > document.documentElement.scrollHeight - 2
    const current = isAtEnd ? links.at(-1) : (links.findLast(hasReachedTop) ?? links[0])
    for (const link of links) link.ariaCurrent = link === current ? 'location' : null
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

/** A heading counts as read below this height. A link leads to 48 pixels, by `scroll-padding-top`. */
const readBelowPx = 100

function hasReachedTop({ hash }: HTMLAnchorElement): boolean {
  const heading = document.getElementById(hash.slice(1))
  return heading !== null && heading.getBoundingClientRect().top < readBelowPx
}

function addCopyButton(figure: HTMLElement): void {
  const caption = figure.querySelector('figcaption')
  const pre = figure.querySelector('pre')
  if (caption === null || pre === null) return
  const what = caption.textContent
  const button = document.createElement('button')
  const status = document.createElement('span')
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy', ariaLabel: `Copy ${what}` })
  Object.assign(status, { className: 'hidden', role: 'status' })
  caption.append(button, status)
  button.addEventListener('click', async () => {
    const result = await copy(pre)
    button.textContent = result
    status.textContent = `${what} ${result.toLowerCase()}`
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, confirmationMs)
  })
}

async function copy(pre: HTMLPreElement): Promise<'Copied' | 'Selected'> {
  try {
    await navigator.clipboard.writeText(pre.textContent)
    return 'Copied'
  } catch {
    // The browser does not allow it. The text is selected for the keyboard shortcut.
    getSelection()?.selectAllChildren(pre)
    return 'Selected'
  }
}

/** Shows the form of an operation. The requests in other languages follow its values. */
function enableRequests(section: HTMLElement): void {
  const form = section.querySelector('form')
  if (form === null) return
  let last = new AbortController()
  const showUrl = () => {
    for (const element of section.querySelectorAll('.url')) element.textContent = toUrl(form)
  }
  form.addEventListener('input', () => {
    // The response that is shown belongs to another request.
    last.abort()
    show(section, '')
    showUrl()
  })
  form.addEventListener('submit', async event => {
    event.preventDefault()
    last.abort()
    last = new AbortController()
    show(section, 'Waiting…')
    const { signal } = last
    const texts = await send(toUrl(form), signal)
    // A later request has replaced this one.
    if (!signal.aborted) show(section, ...texts)
  })
  showUrl()
  for (const element of section.querySelectorAll<HTMLElement>('.try')) element.hidden = false
}

/** Returns the URL that a form requests. A value that is not in the path is in the query, except a default. */
function toUrl(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  let path = form.dataset['path'] ?? ''
  for (const { name, value, dataset } of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')) {
    // A quote would end the quotes of the request in a shell.
    const encoded = encodeURIComponent(value).replaceAll("'", '%27')
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, () => encoded)
    else if (value !== dataset['default']) query.set(name, value)
  }
  return `${apiUrl}${path.slice(1)}${query.size > 0 ? `?${query}` : ''}`
}

/** Requests a URL. Returns the outcome, the headers and the body. The body is never parsed: that could change its digits. */
async function send(url: string, signal: AbortSignal): Promise<readonly [string, string?, string?]> {
  const beganAtMs = performance.now()
  try {
    const response = await fetch(url, {
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const body = await response.text()
    const headers = shownHeaders.flatMap(name =>
      response.headers.has(name) ? `${name}: ${response.headers.get(name)}` : [],
    )
    const outcome = `${response.status} ${response.statusText}`.trim()
    const isJson = response.headers.get('Content-Type')?.includes('json')
    const tookMs = Math.round(performance.now() - beganAtMs)
    return [`${outcome}, ${tookMs} ms`, headers.join('\n'), isJson ? indentJson(body) : body]
  } catch {
    return ['There was no response.']
  }
}

function show(section: HTMLElement, outcome: string, headers = '', body = ''): void {
  const texts = { '.outcome': outcome, '.headers': headers, '.body': body }
  for (const [selector, text] of Object.entries(texts)) section.querySelector(selector)?.replaceChildren(text)
  for (const element of section.querySelectorAll<HTMLElement>('.response')) element.hidden = headers === ''
}
