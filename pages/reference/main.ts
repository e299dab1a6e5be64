import { copy } from '../board/copy.ts'

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

/** Adds a button that copies the code, and its status for a screen reader. */
function addCopyButton(figure: HTMLElement): void {
  const caption = figure.querySelector('figcaption')
  const button = document.createElement('button')
  const status = document.createElement('span')
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
  button.setAttribute('aria-label', `Copy ${caption?.textContent}`)
  Object.assign(status, { className: 'hidden', role: 'status' })
  status.setAttribute('role', 'status')
  caption?.append(button, status)
  button.addEventListener('click', () => copy(button, figure.querySelector('pre')?.textContent ?? ''))
}
