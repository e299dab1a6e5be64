/** The folder of this page: the API's routes are in it. */
const apiUrl = location.origin + location.pathname.replace(/docs\/?$/, '')

// API Gateway also serves the page with a slash at its end, and relative links would then be wrong.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a.sibling'))
  link.href = new URL(link.getAttribute('href') ?? '', apiUrl).href
// The base URL comes first, and all others begin with it.
const exampleUrl = document.querySelector('.url')?.textContent ?? ''
for (const element of document.querySelectorAll('.url'))
  element.textContent = element.textContent.replace(exampleUrl, apiUrl.replace(/\/$/, ''))
