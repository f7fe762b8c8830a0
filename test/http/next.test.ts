/** Where a sign-in may lead, where Lectern has a folder of its host. */
import { expect, test } from 'vitest'
import { nextPath } from '../../src/http/signin/next.ts'

test.each([
  ['/docs/app/s/one/p/two?block=three#four', '/docs/app/s/one/p/two?block=three#four'],
  ['https://host.test/docs/app', '/docs/app'],
  // Whatever else stands on this host is not ours.
  ['/app/s/one', '/docs/app'],
  ['/', '/docs/app'],
  ['/docs-of-others', '/docs/app'],
  ['/docs/../other', '/docs/app'],
  ['/docs/%2e%2e/other', '/docs/app'],
  ['//evil.test/docs/app', '/docs/app'],
  ['/docs//evil.test', '/docs//evil.test'],
])('%s leads to %s', (wanted, to) => {
  expect(nextPath(wanted, { app: 'https://host.test/docs' })).toBe(to)
})
