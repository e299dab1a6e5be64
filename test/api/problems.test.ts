import { expect, test } from 'vitest'
import { Problem } from '../../api/problems.ts'

test('a problem that lacks a value of its detail, or has another one, does not compile', () => {
  const reason = 'it is a test'
  // @ts-expect-error The values are missing.
  expect(new Problem('feed-unreadable').body.detail).toContain('{reason}')
  // @ts-expect-error `reason` is missing.
  expect(new Problem('feed-unreadable', {}).body.detail).toContain('{reason}')
  // @ts-expect-error The detail has no placeholder of this name.
  expect(new Problem('feed-unreadable', { reason, cause: '' }).body.detail).toContain(reason)
  // @ts-expect-error The detail has no placeholder.
  expect(new Problem('internal', { reason }).body.detail).not.toContain(reason)
  // @ts-expect-error The other networks, which are a field of this problem, are missing.
  expect(new Problem('unknown-symbol', { network: '', list: '', elsewhere: '' }).body.networks).toBeUndefined()
})
