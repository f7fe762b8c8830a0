/** Streams of events over real sockets: told within a second across servers, nothing missed, nothing seen that may not be. */
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Server } from '../../src/http/serve.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

interface ShownEvent {
  event: string
  id: string
  data: Record<string, unknown>
}

/** Reads a stream until told to stop. */
function listen(url: string, token: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const streamed: ShownEvent[] = []
  const done = (async () => {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: abort.signal,
    })
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = new Map(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => line.split(/: (.*)/s) as [string, string]),
        )
        if (lines.has('data'))
          streamed.push({
            event: lines.get('event') ?? '',
            id: lines.get('id') ?? '',
            data: JSON.parse(lines.get('data') ?? ''),
          })
        text = text.slice(end + 2)
      }
    }
  })().catch((error) => {
    if (!abort.signal.aborted) throw error
  })
  const until = async (isThere: (event: ShownEvent) => boolean, milliseconds = 5000): Promise<ShownEvent> => {
    const from = performance.now()
    for (;;) {
      const found = streamed.find(isThere)
      if (found) return found
      if (performance.now() - from > milliseconds) throw new Error(`Not told: ${JSON.stringify(streamed)}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return { told: streamed, until, done, stop: () => abort.abort() }
}

eachBackend((backend) => {
  const kit = useKit(backend)
  let other: Server
  let origin = ''
  let close = async () => {}

  // A second server with a database of its own opened at the same place: what another process is.
  beforeAll(async () => {
    const opened = await open(
      readConfig({ DATABASE_URL: kit.location, LECTERN_URL: 'http://lectern.test', LECTERN_LOG_LEVEL: 'silent' }),
    )
    other = await makeServer({ ...opened, log: makeLog('silent'), rateLimit: 0, delayLimit: 0 })
    await other.app.listen({ port: 0, host: '127.0.0.1' })
    origin = `http://127.0.0.1:${(other.app.server.address() as AddressInfo).port}`
    close = async () => {
      await other.stop()
      await opened.db.close()
    }
  })
  afterAll(() => close())

  const makeSpace = async () =>
    (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Streamed' } })).id
  const edit = (spaceId: string, title: string) =>
    kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'insert_page', title, document: { markdown: title } }] },
    })

  describe('event streams', () => {
    test('tell within a second what another process wrote', async () => {
      const spaceId = await makeSpace()
      const stream = listen(`${origin}/v1/spaces/${spaceId}/events`, kit.people.read.token)
      await stream.until(({ event }) => event === 'ready')
      const edited = await edit(spaceId, 'One')
      const from = performance.now()
      const content = await stream.until(({ event }) => event === 'content')
      expect(performance.now() - from).toBeLessThan(1000)
      expect(content.data).toMatchObject({ by: kit.people.admin.id, revision: edited.revision })
      expect(content.data.pages).toHaveLength(1)
      stream.stop()
      await stream.done
    })

    if (backend.name === 'postgres')
      test('do not wait for transactions of other databases on the server', async () => {
        const spaceId = await makeSpace()
        const stream = listen(`${origin}/v1/spaces/${spaceId}/events`, kit.people.read.token)
        await stream.until(({ event }) => event === 'ready')
        const url = new URL(kit.location)
        url.pathname = '/postgres'
        const elsewhere = new pg.Client(url.href)
        await elsewhere.connect()
        try {
          await elsewhere.query('begin')
          await elsewhere.query('select pg_current_xact_id()')
          await edit(spaceId, 'Beside')
          await stream.until(({ event }) => event === 'content')
        } finally {
          await elsewhere.end()
          stream.stop()
        }
      })

    if (backend.name === 'postgres')
      test('wait for a transaction of their own that began before, and tell its events first', async () => {
        const spaceId = await makeSpace()
        const { revision } = await edit(spaceId, 'First')
        const slow = new pg.Client(kit.location)
        await slow.connect()
        const stream = listen(`${origin}/v1/spaces/${spaceId}/events`, kit.people.read.token)
        const told = () => stream.told.flatMap(({ event, data }) => (event === 'content' ? [data.revision] : []))
        try {
          await stream.until(({ event }) => event === 'ready')
          await slow.query('begin')
          // The event of the first edit once more, as another that is not committed yet.
          await slow.query(
            `insert into "event" select (jsonb_populate_record("e", jsonb_build_object('id', 'slow' || "e"."id",
             'seq', nextval('event_numbers'), 'xact', pg_current_xact_id()::text::bigint))).*
           from "event" as "e" where "spaceId" = $1 and "data" like '%' || $2 || '%'`,
            [spaceId, revision],
          )
          const later = await edit(spaceId, 'Later')
          await new Promise((resolve) => setTimeout(resolve, 700))
          expect(told()).not.toContain(later.revision)
          await slow.query('commit')
          await stream.until(({ data }) => data.revision === later.revision)
          expect(told().slice(-2)).toEqual([revision, later.revision])
        } finally {
          await slow.end()
          stream.stop()
        }
      })

    test('miss nothing over reconnections while several write at once', async () => {
      const spaces = await Promise.all([makeSpace(), makeSpace(), makeSpace()])
      const url = `${origin}/v1/orgs/${kit.organization}/events`
      let stream = listen(url, kit.people.admin.token)
      await stream.until(({ event }) => event === 'ready')
      const revisions = new Set<string>()
      const writing = Promise.all(
        spaces.map(async (spaceId) => {
          for (let i = 0; i < 8; i++) revisions.add((await edit(spaceId, `Page ${i}`)).revision)
        }),
      )
      const seen: string[] = []
      const take = () => {
        for (const { event, data } of stream.told) if (event === 'content') seen.push(String(data.revision))
        return stream.told.findLast(({ id }) => id !== '')?.id ?? ''
      }
      for (let i = 0; i < 5; i++) {
        await new Promise((resolve) => setTimeout(resolve, 60))
        stream.stop()
        await stream.done
        stream = listen(url, kit.people.admin.token, { 'last-event-id': take() })
        await stream.until(({ event }) => event === 'ready')
      }
      await writing
      await stream.until(() => {
        const all = new Set([...seen, ...stream.told.map(({ data }) => String(data.revision))])
        return [...revisions].every((revision) => all.has(revision))
      })
      take()
      stream.stop()
      expect(seen.filter((revision) => revisions.has(revision)).sort()).toEqual([...revisions].sort())
    })

    test('that do not follow tell what is there, whatever was read before', async () => {
      const spaceId = await makeSpace()
      const url = `${origin}/v1/spaces/${spaceId}/events`
      const first = listen(`${url}?follow=false`, kit.people.admin.token)
      await first.done
      const id = first.told.find(({ event }) => event === 'ready')?.id ?? ''
      const told = async () => {
        const asked = listen(`${url}?follow=false`, kit.people.admin.token, { 'last-event-id': id })
        await asked.done
        return asked.told.flatMap(({ event, data }) => (event === 'content' ? [data.revision] : []))
      }
      const revisions: string[] = []
      for (let i = 0; i < 3; i++) {
        expect(await told()).toEqual(revisions)
        revisions.push((await edit(spaceId, `Asked ${i}`)).revision)
        // On PostgreSQL an event waits for those that could still come before it.
        await expect.poll(told, { timeout: 5000 }).toEqual(revisions)
      }
    })

    test('tell only what the caller may see, at the moment it is told', async () => {
      const hidden = await makeSpace()
      await kit.as.admin.updateSpaceById({ spaceId: hidden, body: { defaultLevel: null } })
      const shown = await makeSpace()
      const stream = listen(`${origin}/v1/orgs/${kit.organization}/events`, kit.people.read.token)
      await stream.until(({ event }) => event === 'ready')
      await edit(hidden, 'Secret')
      await kit.as.admin.inviteUsersToOrganization({
        organizationId: kit.organization,
        body: { emails: [`s${hidden}@lectern.test`.toLowerCase()] },
      })
      await edit(shown, 'Open')
      await stream.until(({ data }) => data.space === shown)
      expect(stream.told.filter(({ data }) => data.space === hidden)).toEqual([])
      expect(stream.told.map(({ event }) => event)).not.toContain('member')
      stream.stop()
      const ended = listen(`${origin}/v1/spaces/${shown}/events`, kit.people.read.token)
      await ended.until(({ event }) => event === 'ready')
      await kit.as.admin.updateSpaceById({ spaceId: shown, body: { defaultLevel: null } })
      await ended.done
    })

    test('tell of comments where the caller may comment, and of a host name that is asked for who may edit', async () => {
      const spaceId = await makeSpace()
      const { organization: organizationId } = kit
      const comment = await kit.as.admin.postCommentInSpace({ spaceId, body: { body: { markdown: 'Hm.' } } })
      const reply = { spaceId, commentId: comment.id, body: { body: { markdown: 'Well.' } } }
      await kit.as.admin.postCommentReplyInSpace(reply)
      const site = await kit.as.admin.createSite({
        organizationId,
        body: { title: 'Asks for a name', spaces: [spaceId] },
      })
      const hostname = 'docs.asked-for.org'
      const change = {
        before: { claimedHostname: null, title: 'Old' },
        after: { claimedHostname: hostname, title: 'New' },
      }
      await kit.db.run(
        {
          sql: `update "event" set "action" = 'site_updated', "data" = '${JSON.stringify(change)}' where "targetId" = '${site.id}'`,
          name: '',
        },
        [],
      )
      const read = async (path: string, as: 'read' | 'comment' | 'create') => {
        const stream = listen(`${origin}/v1/${path}/events?after=0&follow=false`, kit.people[as].token)
        await stream.done
        return stream.told.filter(({ data }) => data.space === spaceId || JSON.stringify(data).includes(site.id))
      }
      for (const path of [`spaces/${spaceId}`, `orgs/${organizationId}`]) {
        const actions = async (as: 'read' | 'comment') => (await read(path, as)).map(({ data }) => data.action)
        expect(await actions('comment')).toEqual(expect.arrayContaining(['comment_posted', 'comment_reply_posted']))
        expect((await actions('read')).filter((action) => String(action).startsWith('comment'))).toEqual([])
        expect((await actions('read')).length).toBeGreaterThan(0)
      }
      const ofSite = async (as: 'read' | 'create') =>
        (await read(`orgs/${organizationId}`, as)).find(({ data }) => data.action === 'site_updated')?.data
      expect(await ofSite('create')).toMatchObject(change)
      expect(await ofSite('read')).toMatchObject({ before: { title: 'Old' }, after: { title: 'New' } })
      expect(JSON.stringify(await ofSite('read'))).not.toContain('claimedHostname')
    })

    test('tell who is looking at what, and end when the token does', async () => {
      const spaceId = await makeSpace()
      const { id: changeRequestId } = await kit.as.admin.createChangeRequest({ spaceId })
      const made = await kit.as.edit.createApiToken({ body: { label: 'Stream' } })
      const url = `${origin}/v1/spaces/${spaceId}/change-requests/${changeRequestId}/events`
      const stream = listen(url, made.token)
      await stream.until(({ event }) => event === 'ready')
      const at = {
        method: 'PUT',
        headers: { authorization: `Bearer ${kit.people.admin.token}`, 'content-type': 'application/json' },
      }
      const put = await fetch(url.replace(/events$/, 'presence'), {
        ...at,
        body: '{"page":"p1","block":"b2","position":7}',
      })
      expect(put.status).toBe(204)
      const { data } = await stream.until(({ event }) => event === 'presence')
      expect(data.people).toEqual([{ user: kit.people.admin.id, page: 'p1', block: 'b2', position: 7 }])
      await kit.client(made.token).deleteApiToken({ tokenId: made.id })
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await kit.as.admin.updateChangeRequestById({ spaceId, changeRequestId, body: { subject: 'After' } })
      await stream.done
      expect(stream.told.map(({ event }) => event)).not.toContain('status')
    })
  })
})
