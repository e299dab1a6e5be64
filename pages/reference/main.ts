/** Where this page was loaded, which a forwarded port changes. */
const baseUrl = location.origin + location.pathname.replace(/\/docs\/?$/, '')

// The base URL comes first, and all others begin with it.
const elements = [...document.querySelectorAll('.url')]
const [exampleUrl] = elements.map(({ textContent }) => textContent)
if (exampleUrl === undefined) throw new Error('The page has no URL.')
for (const element of elements) element.textContent = element.textContent.replace(exampleUrl, baseUrl)
