/** The log: one line for each request, whichever surface answers it, without what could give access. */
import { expect, test } from 'vitest'
import { makeLog } from '../../src/platform/log.ts'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'
import { asker, publishedSite } from '../site/serve/site-kit.ts'

const lines: Record<string, unknown>[] = []
const log = makeLog('debug', { write: (line) => void lines.push(JSON.parse(line)) })
const kit = useKit(sqlite, { log })

test('has one line for each request, with its id, address, surface and status', async () => {
  const ask = await asker(kit)
  const site = await publishedSite(kit, [{ title: 'Start' }])
  const asked = [
    ['/v1/user', 'api', 401],
    ['/v1/nowhere', 'api', 404],
    [`/v1/orgs/${kit.organization}/events?follow=false`, 'stream', 401],
    ['/app', 'app', 200],
    [site.base, 'site', 200],
    [`${site.base}/none`, 'site', 404],
    ['/sites/never-was', 'site', 404],
  ] as const
  for (const [at, [path, surface, status]] of asked.entries()) {
    const id = `line.${at}`
    await ask(path, { headers: { 'x-request-id': id, authorization: 'Bearer lct_forged' } })
    const own = () => lines.filter(({ requestId }) => requestId === id)
    await expect
      .poll(own, { timeout: 5_000 })
      .toEqual([expect.objectContaining({ method: 'GET', url: path, surface, status })])
  }
})

test('hides keys that stand in addresses, and never has a token', async () => {
  const ask = await asker(kit)
  const { token } = kit.people.admin
  await ask(`/sites/x?shareKey=hush-1&jwt_token=hush-2`, { headers: { authorization: `Bearer ${token}` } })
  await ask('/signin/password/hush-3')
  await ask('/v1/user', { headers: { authorization: `Bearer ${token}` } })
  await expect.poll(() => JSON.stringify(lines), { timeout: 5_000 }).toContain('"/v1/user"')
  expect(JSON.stringify(lines)).toContain('shareKey=[hidden]')
  expect(JSON.stringify(lines)).not.toMatch(/hush-/)
  expect(JSON.stringify(lines)).not.toContain(token)
})
