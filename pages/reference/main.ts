/** Where this page was loaded, which a forwarded port changes. */
const baseUrl = location.origin + location.pathname.replace(/\/docs\/?$/, '')

// The base URL comes first, and all others begin with it.
const exampleUrl = document.querySelector('.url')?.textContent ?? ''
for (const element of document.querySelectorAll('.url'))
  element.textContent = element.textContent.replace(exampleUrl, baseUrl)
