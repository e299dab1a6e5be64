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
      setText(failure, failed === undefined ? '' : toFailureWords(failed, list !== undefined))
    },
    tick: nowMs => setText(age, readAtMs === undefined ? '' : `${formatAge((nowMs - readAtMs) / 1_000)} ago`),
  }
}

/** Says what is wrong, what is seen meanwhile, and when it is tried again. */
export function toFailureWords({ title, detail, waitMs }: Failed, isKept: boolean): string {
  const kept = isKept ? ' What you see are the last good values.' : ''
  return `${title}. ${detail}${kept} Next try in ${formatAge(waitMs / 1_000)}.`
}
