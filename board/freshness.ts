import { formatAge } from './age.ts'
import type { Answered, Failed } from './api-answer.ts'
import { byId, create, setText } from './dom.ts'
import type { ShownList } from './exact-json.ts'

/** Says of which chain and block what is seen is, how old it is, and what is wrong. */
export interface Freshness {
  readonly show: (list: Answered<ShownList> | undefined, failed: Failed | undefined) => void
  readonly tick: (nowMs: number) => void
}

/** Creates both lines, with nothing to say. */
export function createFreshness(): Freshness {
  const line = byId('freshness', HTMLElement)
  const failure = byId('failure', HTMLElement)
  const age = create('span')
  const place = create('span')
  line.append(place, age)
  let readAtMs: number | undefined
  return {
    show(list, failed) {
      readAtMs = list?.readAtMs
      setText(place, list === undefined ? '' : `${list.value.network}, block ${list.value.block}, read `)
      document.documentElement.toggleAttribute('data-failed', failed !== undefined)
      setText(failure, failed === undefined ? '' : toFailureWords(failed, list !== undefined))
    },
    tick: nowMs => setText(age, readAtMs === undefined ? '' : `${formatAge((nowMs - readAtMs) / 1_000)} ago`),
  }
}

/** Says what is wrong, what is seen meanwhile, and whether it is tried again: not when, as a screen reader would read out each second. */
export function toFailureWords({ title, detail, isLasting }: Failed, isKept: boolean): string {
  const kept = isKept ? ' What you see are the last good values.' : ''
  return `${title}. ${detail}${kept}${isLasting ? '' : ' Trying again.'}`
}
