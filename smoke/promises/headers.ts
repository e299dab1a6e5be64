import { type Answer, formatAnswer, readAtMsOf } from '../answer.ts'
import { shownMs, skewMs } from '../contract.ts'
import { formatJson } from '../json.ts'
import { type Row, toRow, toUnseen } from '../report.ts'

/** Checks what every answer of a run has in common: who may read it, how long it may be shown, how old it is. */
export function checkHeaders(answers: readonly Answer[]): readonly Row[] {
  const came = answers.filter(({ status }) => status > 0)
  const successes = came.filter(answer => readAtMsOf(answer) !== undefined)
  const problems = came.filter(({ status }) => status >= 400)
  return [
    check('any origin may read every answer', came, findOriginFaults),
    check('a success may be shown until 10 s after its read', successes, findShownFaults),
    check('a problem may not be stored', problems, findStoreFaults),
    checkAge(successes),
  ]
}

/** Says why not every origin may read an answer, or why a cache would keep it for one origin. */
function findOriginFaults({ headers }: Answer): readonly string[] {
  const origin = headers.get('access-control-allow-origin')
  return [
    ...(origin === '*' ? [] : [`Access-Control-Allow-Origin is ${formatJson(origin)}`]),
    ...(/\borigin\b/i.test(headers.get('vary') ?? '') ? ['Vary has Origin'] : []),
    ...(headers.has('access-control-allow-credentials') ? ['credentials are allowed'] : []),
  ]
}

/** Says why a success may be shown for another time than until 10 seconds after its read. */
function findShownFaults(answer: Answer): readonly string[] {
  const { headers } = answer
  const directives = (headers.get('cache-control') ?? '').toLowerCase().split(/\s*,\s*/)
  const expires = headers.get('expires')
  const shown = Date.parse(expires ?? '') - (readAtMsOf(answer) ?? 0)
  return [
    ...(directives.sort().join() === 'must-revalidate,public'
      ? []
      : [`Cache-Control is ${formatJson(headers.get('cache-control'))}`]),
    ...(shown > 0 && shown <= shownMs ? [] : [`Expires is ${formatJson(expires)}`]),
  ]
}

function findStoreFaults({ headers }: Answer): readonly string[] {
  const value = headers.get('cache-control')
  return [
    ...(value === 'no-store' ? [] : [`Cache-Control is ${formatJson(value)}`]),
    ...(headers.has('expires') ? ['it has an Expires'] : []),
  ]
}

function check(promise: string, answers: readonly Answer[], find: (answer: Answer) => readonly string[]): Row {
  if (answers.length === 0) return toUnseen(promise, 'there is no such answer')
  const faults = answers.flatMap(answer => find(answer).map(fault => `${formatAnswer(answer)}, ${fault}`))
  return toRow(promise, faults, `${answers.length} answers`)
}

/** Checks that no answer was read longer ago than it may be shown, by the two clocks of the service. */
function checkAge(successes: readonly Answer[]): Row {
  const promise = 'an answer is at most 10 s old when it is sent'
  const ages = successes.flatMap(answer => {
    const ageMs = Date.parse(answer.headers.get('date') ?? '') - (readAtMsOf(answer) ?? 0)
    return Number.isNaN(ageMs) ? [] : [{ answer, ageMs }]
  })
  if (ages.length === 0) return toUnseen(promise, 'no success has a Date')
  const faults = ages
    .filter(({ ageMs }) => ageMs > shownMs + skewMs)
    .map(({ answer, ageMs }) => `${formatAnswer(answer)} was ${ageMs / 1_000} s old`)
  const oldest = Math.max(...ages.map(({ ageMs }) => ageMs))
  return toRow(
    promise,
    faults,
    `Date is at most ${oldest / 1_000} s after readAt (${skewMs / 1_000} s of skew allowed)`,
  )
}
