/** Share keys that are guessed: after some wrong ones an address waits, and who was let in before reads on. */
import { expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { cookiesOf, publishedSite, shareLink } from './site-kit.ts'

const kit = useKit(sqlite)

test('wrong share keys from one address are heard sixty times a minute', async () => {
  const site = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'share-link' })
  const { path } = await shareLink(kit, site)
  const reader = { headers: { cookie: cookiesOf(await site.ask(path)) } }
  const guess = (i: number) => site.ask(`${path.slice(0, -4)}${i.toString(36).padStart(4, '0')}`)
  const statuses = new Set<number>()
  for (let i = 0; i < 60; i++) statuses.add((await guess(i)).status)
  expect([...statuses]).toEqual([404])
  const refused = await guess(60)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // What was right before stays right.
  expect((await site.ask('/start', reader)).status).toBe(200)
})
