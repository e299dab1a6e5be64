import { formatAge } from './age.ts'
import { byId, create, setText } from './dom.ts'
import type { ShownList } from './exact-json.ts'
import type { Answered, Failed } from './price-api.ts'

/** Says how old what is seen is, and what is wrong. */
export interface Freshness {
  readonly show: (list: Answered<ShownList> | undefined, failed: Failed | undefined) => void
  readonly tick: (nowMs: number) => void
}

/** Creates both lines, with nothing to say. */
export function createFreshness(): Freshness {
  const line = byId('freshness', HTMLElement)
  const failure = byId('failure', HTMLElement)
  const age = create('span')
  const block = create('span')
  line.append(block, age)
  let readAtMs: number | undefined
  return {
    show(list, failed) {
      readAtMs = list?.readAtMs
      setText(block, list === undefined ? '' : `Block ${list.value.block}, read `)
      document.documentElement.toggleAttribute('data-failed', failed !== undefined)
      const kept = list === undefined ? '' : ' What you see below are the last good values.'
      const again = failed === undefined ? '' : ` Next try in ${formatAge(failed.waitMs / 1_000)}.`
      setText(failure, failed === undefined ? '' : `${failed.title}. ${failed.detail}${kept}${again}`)
    },
    tick: nowMs => setText(age, readAtMs === undefined ? '' : `${formatAge((nowMs - readAtMs) / 1_000)} ago`),
  }
}
