import { cors, freshSeconds } from '../../api/headers.ts'
import { formatValue, type Reply } from './client.ts'
import { isRead } from './network-checks.ts'
import { type Check, expectThat } from './run-checks.ts'

/** Creates a check of all replies up to now. */
export const createReplyCheck = (name: string, expectReply: (reply: Reply) => void): Check => ({
  name,
  run: ({ replies }) => replies.forEach(expectReply),
})

/**
 * The checks of replies that the probe makes too: it may be older than the functions, and must accept additions (D30).
 */
export const servedChecks: readonly Check[] = [
  createReplyCheck('every request is answered, for any origin', reply => {
    // A request without a response has no headers either, so it is found here too.
    const origin = reply.headers.get('access-control-allow-origin')
    expectThat(origin === cors.origin, reply, `Access-Control-Allow-Origin is ${formatValue(origin)}`)
    expectThat(!reply.headers.has('access-control-allow-credentials'), reply, 'with credentials')
  }),
  createReplyCheck(`a success is at most ${freshSeconds} s old, and expires`, reply => {
    if (!isRead(reply)) return
    const { headers, fields } = reply
    const toSeconds = (name: string) => (Date.parse(`${headers.get(name)}`) - Date.parse(`${fields['readAt']}`)) / 1_000
    const sent = toSeconds('date')
    const expires = toSeconds('expires')
    const age = Number(headers.get('age'))
    // The clocks of a function (`readAt`) and of the gateway (`Date`) may differ.
    expectThat(sent <= freshSeconds + 2, reply, `sent ${sent} s after its read`)
    expectThat(expires > 0 && expires <= freshSeconds, reply, `expires ${expires} s after its read`)
    expectThat(age <= freshSeconds, reply, `${age} s old in a cache`)
  }),
]
