/** Finds an element of the page that has to be there. */
export function byId<kind extends HTMLElement>(id: string, kind: new () => kind): kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${id}`)
}

/** Creates an element with attributes and children. */
export function create<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Changes a text only where it differs, so that what someone has selected stays selected. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Sets an attribute, or takes it away. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** Gives a link's target if it is a web address, and nothing else: an address of another kind could be a script. */
export function toWebAddress(text: string): string {
  return text.startsWith('https://') ? text : ''
}
