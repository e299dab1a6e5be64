import { setImmediate } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { buildBoard } from '../../../pages/build.ts'
import { toListText } from '../../support/board/real-list.ts'

/** As much of an element as Preact needs to draw into it. */
class FakeElement {
  nodeType = 1
  parentNode: FakeElement | null = null
  childNodes: FakeElement[] = []
  /** Of a text. */
  data = ''

  get textContent(): string {
    return this.data + this.childNodes.map(child => child.textContent).join('')
  }
  insertBefore(child: FakeElement, next: FakeElement | null) {
    child.remove()
    child.parentNode = this
    this.childNodes.splice(next === null ? this.childNodes.length : this.childNodes.indexOf(next), 0, child)
  }
  remove() {
    this.parentNode?.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1)
    this.parentNode = null
  }
  setAttribute() {}
  removeAttribute() {}
  addEventListener() {}
}

test('the script of the built page draws the list of the API, without a browser', async () => {
  const script = /<script>(.*)<\/script>/s.exec(buildBoard().html)?.[1] ?? ''
  const body = new FakeElement()
  const document = {
    body,
    activeElement: body,
    addEventListener() {},
    createElementNS: () => new FakeElement(),
    createTextNode: (data: string) => Object.assign(new FakeElement(), { nodeType: 3, data }),
  }
  const requested: string[] = []
  const fetch = async (url: string) => {
    requested.push(url)
    return new Response(toListText({}, { status: 'Stale' }))
  }
  const nothing = () => {}
  runInNewContext(script, {
    ...{ document, fetch, URLSearchParams, AbortController, AbortSignal },
    location: { origin: 'https://api.example', pathname: '/v1', search: '' },
    ...{ addEventListener: nothing, setInterval: nothing, setTimeout: nothing, clearTimeout: nothing },
    ...{ getSelection: nothing, requestAnimationFrame: nothing, HTMLElement: class {} },
  })
  // The responses of `fetch` need some turns.
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  expect(body.textContent).toMatch(/2 feedsRobinhood Chain, block 79242031, read .*AAPLAppleOK.*AMC.*Stale/)
  expect(requested).toEqual(['https://api.example/v1/price'])
})
