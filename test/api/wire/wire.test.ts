/** The conventions of the wire, which hold for every operation alike. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/index.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { inputFor } from '../fixtures.ts'

const json = { 'content-type': 'application/json' }

eachBackend((backend) => {
  const kit = useKit(backend)
  let organization = ''
  beforeAll(() => {
    organization = `/v1/orgs/${kit.organization}`
  })

  describe('an error', () => {
    test('says what, where and under which request id', async () => {
      const answer = await kit.request({
        as: 'admin',
        method: 'PATCH',
        url: organization,
        headers: { ...json, 'x-request-id': 'trace-7' },
        payload: '{"title":7}',
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers['x-request-id']).toBe('trace-7')
      expect(answer.json().error).toMatchObject({
        code: 400,
        type: 'invalid_input',
        details: [{ field: 'title' }],
        requestId: 'trace-7',
      })
    })

    test('of a missing token comes before anything else, and says how', async () => {
      for (const request of [
        { method: 'PATCH', url: organization, payload: '{"title":', headers: json },
        { method: 'PATCH', url: organization, payload: '<x/>', headers: { 'content-type': 'text/xml' } },
        { method: 'GET', url: `${organization}/members?limit=abc` },
        { method: 'GET', url: '/v1/orgs/none' },
      ] as const) {
        const answer = await kit.request(request)
        expect(answer.statusCode, request.url).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
    })

    test('of an unknown path is 404', async () => {
      for (const url of ['/v1', '/v1/', '/v1/nothing', '/nothing', '/v1/orgs/x/y/z', '/v1//orgs']) {
        expect((await kit.request({ as: 'admin', method: 'GET', url })).statusCode, url).toBe(404)
      }
    })

    test('of a garbled path is 400 or 404, in our form', async () => {
      for (const url of [
        '/v1/orgs/%',
        '/v1/orgs/%zz',
        '/v1/orgs/%c3%28',
        '/v1/users/%00',
        '/v1/users/%ff',
        `/v1/users/${'x'.repeat(20_000)}`,
        '/v1/orgs/..%2f..%2fetc',
        '/v1/orgs/%252e',
      ]) {
        const answer = await kit.request({ as: 'admin', method: 'GET', url })
        expect([400, 404], `${url} ${answer.payload}`).toContain(answer.statusCode)
      }
    })

    test('of a garbled query is 400, or ignored', async () => {
      for (const query of [
        'limit=%',
        'limit=%zz',
        'search=%ff',
        'search=%00',
        'page=%00',
        'page=.',
        'page=..',
        'page=%7B%7D.x',
        '__proto__=1',
        'constructor=1',
        'limit[]=1',
        'limit=1&limit=2',
        'a'.repeat(5000),
      ]) {
        const answer = await kit.request({ as: 'read', method: 'GET', url: `${organization}/members?${query}` })
        expect([200, 400], `${query} ${answer.payload}`).toContain(answer.statusCode)
      }
    })
  })

  describe('a body', () => {
    const patch = (payload: string | Buffer, headers: Record<string, string> = json) =>
      kit.request({ as: 'admin', method: 'PATCH', url: organization, headers, payload })
    const typeOf = async (payload: string | Buffer, headers?: Record<string, string>) => {
      const answer = await patch(payload, headers)
      return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${answer.json().error.type}`
    }

    const fieldOf = async (payload: string) => (await patch(payload)).json().error.details?.[0]?.field

    test('must be JSON', async () => {
      for (const payload of [
        '{',
        '{"title":}',
        'undefined',
        "{'title':'x'}",
        '{"title":"a"} x',
        '{"a":1,}',
        '\ufeff{}x',
        'NaN',
      ]) {
        expect(await typeOf(payload), payload).toBe('400 malformed_json')
      }
    })

    test('must be an object', async () => {
      for (const payload of ['[]', 'null', '7', '"text"', 'true'])
        expect(await typeOf(payload), payload).toBe('400 invalid_input')
    })

    test('may be missing only where nothing is required', async () => {
      expect(await typeOf('')).toBe(200)
      const titled = await kit.request({ as: 'admin', method: 'POST', url: '/v1/orgs', headers: json, payload: '' })
      expect([titled.statusCode, titled.json().error?.type]).toEqual([400, 'invalid_input'])
      const url = `${organization}/members/${kit.people.edit.id}`
      expect((await kit.request({ as: 'admin', method: 'PATCH', url, headers: json, payload: '' })).statusCode).toBe(
        200,
      )
      expect((await kit.request({ as: 'admin', method: 'PATCH', url })).statusCode).toBe(200)
    })

    test('is said to be JSON, or refused', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonx',
        'nonsense',
      ]) {
        expect(await typeOf('{}', { 'content-type': type }), type).toBe('415 unsupported_media')
      }
      for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
        expect(await typeOf('{}', { 'content-type': type }), type).toBe(200)
      }
    })

    test('is not deeper than 512', async () => {
      const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
      expect(await typeOf(nested(511))).toBe(200)
      expect(await typeOf(nested(512))).toBe('400 too_deep')
      expect(await typeOf(nested(1_000_000))).toBe('400 too_deep')
      expect(await typeOf(`{"x":"${'['.repeat(1000)}"}`)).toBe(200)
      expect(await typeOf(`{"x":"\\"${'['.repeat(1000)}\\\\"}`)).toBe(200)
    })

    test('is not larger than 10 MiB', async () => {
      expect(await typeOf(`{"x":"${'x'.repeat(11 * 1024 * 1024)}"}`)).toBe('413 too_large')
      expect(await typeOf(`{"x":"${'x'.repeat(1024 * 1024)}"}`)).toBe(200)
    })

    test('holds no text that a database cannot', async () => {
      for (const text of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\uD83D', '\\ude00\\ud83d']) {
        expect(await typeOf(`{"title":"ab${text}"}`), text).toBe('400 invalid_input')
        expect(await typeOf(`{"other":{"deep":["${text}"]}}`), text).toBe('400 invalid_input')
        expect(await typeOf(`{"${text}":1}`), text).toBe('400 invalid_input')
      }
      expect(await typeOf('{"title":"ab\\ud83d\\ude00"}')).toBe(200)
      const mass = `"text":"${'x'.repeat(300_000)}"`
      for (const [payload, field] of [
        ['{"title":"ab\\u0000"}', 'title'],
        ['{"title":"ok","other":[{},{"deep":["\\ud800"]}]}', 'other.1.deep.0'],
        [`{${mass},"title":"ab\\u0000"}`, 'title'],
      ] as const)
        expect(await fieldOf(payload)).toBe(field)
      // Bytes that are no UTF-8 arrive as replacement characters, never as themselves.
      expect(
        await typeOf(
          Buffer.from([0x7b, 0x22, 0x74, 0x69, 0x74, 0x6c, 0x65, 0x22, 0x3a, 0x22, 0x61, 0x62, 0xff, 0xfe, 0x22, 0x7d]),
        ),
      ).toBe(200)
      expect(await typeOf(Buffer.from('{"title":"ab\0"}'))).toBe('400 malformed_json')
    })

    test('reaches for no prototypes', async () => {
      for (const payload of [
        '{"__proto__":{"title":"polluted"}}',
        '{"constructor":{"prototype":{"title":"polluted"}}}',
        '{"\\u005f_proto__":{"title":"polluted"}}',
      ]) {
        expect(await typeOf(payload)).toBe(200)
      }
      expect(({} as { title?: string }).title).toBeUndefined()
      expect((await kit.as.admin.getOrganizationById({ organizationId: kit.organization })).title).not.toBe('polluted')
    })

    test('holds no number that is none', async () => {
      expect(await typeOf('{"sso":1e999}')).toBe('400 invalid_input')
      expect(await typeOf('{"title":-1e999}')).toBe('400 invalid_input')
    })

    test('has the same limits when it is large, and is read beside the event loop', async () => {
      const text = `"text":"${'\\"x'.repeat(100_000)}"`
      const list = `"list": [ ${'{"a": 1} , '.repeat(50_000)}0 ]`
      for (const mass of [text, list]) {
        expect(await typeOf(`{${mass} , "title": "Large"}`)).toBe(200)
        expect((await kit.as.admin.getOrganizationById({ organizationId: kit.organization })).title).toBe('Large')
        expect(await typeOf(`{${mass},}`)).toBe('400 malformed_json')
        expect(await typeOf(`{${mass},"title":"ab\\u0000"}`)).toBe('400 invalid_input')
        expect(await typeOf(`{${mass},"title":7}`)).toBe('400 invalid_input')
        expect(await typeOf(`{${mass},"__proto__":{"title":"polluted"}}`)).toBe(200)
        expect(await typeOf(`{${mass},"\\u005f_proto__":{"title":"polluted"}}`)).toBe(200)
      }
      expect(await typeOf(`{"x":[${'1,'.repeat(250_000)}1]}`)).toBe('413 too_large')
      expect(({} as { title?: string }).title).toBeUndefined()
      expect((await kit.as.admin.getOrganizationById({ organizationId: kit.organization })).title).toBe('Large')
      expect(kit.db.threads.list().map(({ kind }) => kind)).toContain('json')
    })

    test('does not matter where none is taken', async () => {
      for (const payload of ['{"any":"thing"}', '[]', 'null']) {
        const url = `${organization}/ping`
        expect((await kit.request({ as: 'read', method: 'POST', url, headers: json, payload })).statusCode).toBe(200)
      }
      const url = `${organization}/teams/none`
      expect((await kit.request({ as: 'admin', method: 'DELETE', url, headers: json, payload: '' })).statusCode).toBe(
        204,
      )
      expect((await kit.request({ as: 'admin', method: 'DELETE', url, headers: json, payload: '{}' })).statusCode).toBe(
        204,
      )
    })
  })

  describe('a read', () => {
    test('carries an ETag, and is not sent twice', async () => {
      const first = await kit.request({ as: 'read', method: 'GET', url: organization })
      const etag = String(first.headers.etag)
      expect(etag).toBe(`"${createHash('sha1').update(first.payload).digest('base64url')}"`)
      expect(first.headers['cache-control']).toBe('private, no-cache')
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await kit.request({
          as: 'read',
          method: 'GET',
          url: organization,
          headers: { 'if-none-match': held },
        })
        expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', etag])
      }
      const other = await kit.request({
        as: 'read',
        method: 'GET',
        url: organization,
        headers: { 'if-none-match': '"other"' },
      })
      expect(other.statusCode).toBe(200)
    })

    test('may ask for the head only', async () => {
      const whole = await kit.request({ as: 'read', method: 'GET', url: organization })
      const head = await kit.request({ as: 'read', method: 'HEAD', url: organization })
      expect([head.statusCode, head.payload, head.headers.etag]).toEqual([200, '', whole.headers.etag])
      expect((await kit.request({ method: 'HEAD', url: organization })).statusCode).toBe(401)
      expect((await kit.request({ as: 'stranger', method: 'HEAD', url: organization })).statusCode).toBe(404)
    })

    test('does not mind a slash at the end', async () => {
      expect((await kit.request({ as: 'read', method: 'GET', url: `${organization}/` })).statusCode).toBe(200)
      expect(
        (await kit.request({ as: 'read', method: 'GET', url: `${organization}/members/?limit=1` })).statusCode,
      ).toBe(200)
    })
  })

  describe('If-Match', () => {
    const patch = (ifMatch: string, title: string) =>
      kit.as.admin.updateOrganizationById({ organizationId: kit.organization, body: { title }, ifMatch })
    const etag = async () => String((await kit.request({ as: 'admin', method: 'GET', url: organization })).headers.etag)

    test('lets a write through that knows the present state', async () => {
      expect((await patch(await etag(), 'Known')).title).toBe('Known')
      expect((await patch(`"x", ${await etag()}`, 'Known too')).title).toBe('Known too')
      expect((await patch('*', 'Any')).title).toBe('Any')
    })

    test('stops a write that does not', async () => {
      const old = await etag()
      await patch(old, 'Newer')
      await expect(patch(old, 'Lost')).rejects.toMatchObject({ status: 412, type: 'precondition_failed' })
      expect((await kit.as.admin.getOrganizationById({ organizationId: kit.organization })).title).toBe('Newer')
    })

    test('lets one of many through', async () => {
      const known = await etag()
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => patch(known, `Race ${i}`)))
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    })

    test('does not tell more than the caller may know', async () => {
      const input = { organizationId: kit.organization, body: { title: 'No' }, ifMatch: '"x"' }
      await expect(kit.as.stranger.updateOrganizationById(input)).rejects.toMatchObject({ status: 404 })
      await expect(kit.as.read.updateOrganizationById(input)).rejects.toMatchObject({ status: 403 })
    })
  })

  describe('a method', () => {
    test('that a path does not take is 405, with those it takes', async () => {
      const answer = await kit.request({ as: 'admin', method: 'DELETE', url: '/v1/orgs' })
      expect(answer.statusCode).toBe(405)
      expect(answer.headers.allow).toBe('GET, POST, HEAD, OPTIONS')
    })

    test('is known for every path', async () => {
      const methods = new Map<string, string[]>()
      for (const [, row] of operations) methods.set(row.path, [...(methods.get(row.path) ?? []), row.method])
      for (const [path, known] of methods) {
        const url = path.replace(/\{\w+\}/g, 'x')
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
          if (known.includes(method)) continue
          const answer = await kit.request({ as: 'admin', method, url })
          expect([answer.statusCode, method, path]).toEqual([405, method, path])
          for (const name of known) expect(answer.headers.allow).toContain(name)
        }
      }
    })
  })

  test('a page token of one content is not taken by another', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: {} })
    const text = (name: string) => ({ name, contentType: 'text/plain', base64: '' })
    const changes = [{ operation: 'insert_files' as const, files: ['a.txt', 'b.txt', 'c.txt'].map(text) }]
    const { revision } = await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
    const { id: changeRequestId } = await kit.as.admin.createChangeRequest({ spaceId, body: {} })
    const lists: [string, object][] = [
      ['listFiles', { spaceId }],
      ['listFilesInRevisionById', { spaceId, revisionId: revision }],
      ['listFilesInChangeRequestById', { spaceId, changeRequestId }],
    ]
    for (const [from, of] of lists) {
      const first = await kit.call('read', from, { ...of, query: { limit: 1 } })
      const page = String(first.body.next?.page)
      for (const [name, params] of lists) {
        const answer = await kit.call('read', name, { ...params, query: { limit: 1, page } })
        expect(answer.status, `${from} ${name}`).toBe(name === from ? 200 : 400)
      }
    }
  })

  test('a page token is taken as it was given, or not at all', async () => {
    const list = (page: string) =>
      kit.call('read', 'listMembersInOrganizationById', { organizationId: kit.organization, query: { limit: 1, page } })
    const first = await kit.as.read.listMembersInOrganizationById({
      organizationId: kit.organization,
      query: { limit: 1 },
    })
    const token = first.next?.page ?? ''
    expect((await list(token)).status).toBe(200)
    for (let i = 0; i < token.length; i++) {
      for (const other of ['A', '=']) {
        if (token[i] === other) continue
        const answer = await list(token.slice(0, i) + other + token.slice(i + 1))
        expect([answer.status, answer.body.error?.type], `${i} ${other}`).toEqual([400, 'invalid_cursor'])
        expect(answer.body.error?.details?.[0]?.field).toBe('page')
      }
    }
    for (const odd of [`${token}=`, `${token}.`, `${token}x`, token.slice(1), token.replace('.', ''), ` ${token}`]) {
      expect((await list(odd)).status, odd).toBe(400)
    }
    expect(
      (
        await kit.call('comment', 'listMembersInOrganizationById', {
          organizationId: kit.organization,
          query: { limit: 1, page: token },
        })
      ).status,
    ).toBe(200)
  })

  test('a created thing says where it is', async () => {
    const made = await kit.call('read', 'createOrganization', { body: { title: 'Placed' } })
    expect(made.headers.location).toBe(`http://lectern.test/v1/orgs/${String(made.body.id)}`)
  })

  test('browsers may call from anywhere', async () => {
    const asked = await kit.request({
      method: 'OPTIONS',
      url: organization,
      headers: { origin: 'https://x.test', 'access-control-request-method': 'PATCH' },
    })
    expect(asked.statusCode).toBe(204)
    expect(asked.headers['access-control-allow-origin']).toBe('*')
    expect(asked.headers['access-control-allow-methods']).toContain('PATCH')
    expect(asked.headers['access-control-allow-headers']).toMatch(/Authorization.*Idempotency-Key/)
    for (const request of [
      { as: 'read', method: 'GET', url: organization },
      { method: 'GET', url: organization },
      { method: 'DELETE', url: '/v1/orgs' },
    ] as const) {
      const answer = await kit.request(request)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      expect(answer.headers['access-control-expose-headers']).toContain('ETag')
    }
  })

  test('request ids are made, or taken when they are harmless', async () => {
    const idOf = async (given?: string) =>
      (
        await kit.request({
          as: 'read',
          method: 'GET',
          url: organization,
          headers: given === undefined ? {} : { 'x-request-id': given },
        })
      ).headers['x-request-id']
    expect(await idOf('a.b:c-1')).toBe('a.b:c-1')
    for (const odd of ['a b', 'x'.repeat(129), '<script>', '']) expect(await idOf(odd)).toMatch(/^[0-9A-Za-z]{20}$/)
    expect(await idOf()).not.toBe(await idOf())
  })

  test('health and readiness need no token', async () => {
    expect((await kit.request({ method: 'GET', url: '/healthz' })).json()).toEqual({ status: 'ok' })
    expect((await kit.request({ method: 'GET', url: '/readyz' })).json()).toEqual({ status: 'ready' })
    expect((await kit.request({ method: 'GET', url: '/v1/openapi.json' })).json().openapi).toBe('3.1.0')
    expect((await kit.request({ method: 'GET', url: '/reference' })).headers['content-type']).toContain('text/html')
  })

  test('a 201 names an address that is there', async () => {
    const missing: string[] = []
    for (const [name, row] of operations) {
      const { created, createdEmpty, orCreated } = row.fields
      if (!created && !createdEmpty && !orCreated) continue
      const { params, query, body, headers } = await inputFor(kit, name, row)
      const { status, headers: said } = await kit.call('admin', name, { ...params, query, body }, headers)
      if (status !== 201) continue
      const url = String(said.location)
      // What is only changed or deleted one by one, and read in its list, has an address that takes no GET: 405.
      const { statusCode } = await kit.request({ as: 'admin', method: 'GET', url })
      if (statusCode !== 200 && statusCode !== 405) missing.push(`${name}: ${url} ${statusCode}`)
    }
    expect(missing).toEqual([])
  }, 60_000)

  idempotency(kit)
  inProcess(kit)
})

function idempotency(kit: Kit): void {
  describe('Idempotency-Key', () => {
    const make = (title: string, idempotencyKey: string, as: 'read' | 'edit' = 'read') =>
      kit.call(as, 'createOrganization', { body: { title }, idempotencyKey })
    const count = async () => (await kit.as.read.listOrganizationsForAuthenticatedUser()).count

    test('gives the same answer, and the effect once', async () => {
      const before = await count()
      const first = await make('Once', 'key-1')
      const again = await make('Once', 'key-1')
      expect([again.status, again.body, again.headers.location]).toEqual([201, first.body, first.headers.location])
      expect(await count()).toBe(before + 1)
    })

    test('is refused for another request', async () => {
      await make('Other', 'key-2')
      expect((await make('Changed', 'key-2')).body.error?.type).toBe('idempotency_mismatch')
      const otherKey = await kit.call('read', 'createApiToken', { body: { label: 'Other' }, idempotencyKey: 'key-2' })
      expect(otherKey.status).toBe(422)
    })

    test('is the caller’s own', async () => {
      const mine = await make('Mine', 'key-3')
      const theirs = await make('Theirs', 'key-3', 'edit')
      expect([mine.status, theirs.status]).toEqual([201, 201])
    })

    test('holds when the same comes many times at once', async () => {
      const before = await count()
      const answers = await Promise.all(Array.from({ length: 12 }, () => make('Parallel', 'key-4')))
      expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1)
      expect(await count()).toBe(before + 1)
    })

    test('does not keep a refusal', async () => {
      expect((await make('x', 'key-5')).status).toBe(400)
      expect((await make('Better', 'key-5')).status).toBe(201)
    })

    test('answers nobody who has lost the right to what the path names', async () => {
      const person = await kit.addPerson({ email: 'leaving@example.test', role: 'create' })
      const request = { organizationId: kit.organization, body: { title: 'Known' }, idempotencyKey: 'right' }
      const sendAs = () => kit.client(person.token).createCollection(request)
      const first = await sendAs()
      expect(await sendAs()).toEqual(first)
      const of = { organizationId: kit.organization, userId: person.id }
      await kit.as.admin.updateMemberInOrganizationById({ ...of, body: { role: 'read' } })
      await expect(sendAs()).rejects.toMatchObject({ status: 403 })
      await kit.as.admin.removeMemberFromOrganizationById(of)
      await expect(sendAs()).rejects.toMatchObject({ status: 404 })
    })

    test('is forgotten after a day', async () => {
      const first = await make('Daily', 'key-6')
      kit.clock.advance(24 * 60 * 60 * 1000 + 1000)
      const second = await make('Daily', 'key-6')
      expect(second.status).toBe(201)
      expect(second.body.id).not.toBe(first.body.id)
    })

    test('has 1 to 255 characters', async () => {
      expect((await make('Long', 'x'.repeat(255))).status).toBe(201)
      expect((await make('Long', 'x'.repeat(256))).body.error?.details).toMatchObject([{ field: 'Idempotency-Key' }])
    })

    test('keeps no secret in the database', async () => {
      const made = await kit.call('read', 'createApiToken', { body: { label: 'kept' }, idempotencyKey: 'key-7' })
      const again = await kit.call('read', 'createApiToken', { body: { label: 'kept' }, idempotencyKey: 'key-7' })
      expect(again.body).toEqual(made.body)
      const rows = await kit.db.all({ sql: 'select * from "idempotency"', name: 'test_idempotency' }, [])
      expect(JSON.stringify(rows)).not.toContain(String(made.body.token))
    })
  })
}

function inProcess(kit: Kit): void {
  describe('the in-process client', () => {
    test('decides as HTTP does', async () => {
      const input = { organizationId: kit.organization }
      const reader = await kit.inProcess('read')
      expect(JSON.parse(JSON.stringify(await reader.getOrganizationById(input)))).toEqual(
        await kit.as.read.getOrganizationById(input),
      )
      expect((await reader.listMembersInOrganizationById({ ...input, query: { limit: 2 } })).items).toHaveLength(2)
      await expect(reader.updateOrganizationById({ ...input, body: { title: 'No' } })).rejects.toMatchObject({
        status: 403,
        type: 'forbidden',
      })
      await expect((await kit.inProcess('stranger')).getOrganizationById(input)).rejects.toMatchObject({ status: 404 })
      await expect((await kit.inProcess('nobody')).getOrganizationById(input)).rejects.toMatchObject({ status: 401 })
      await expect(reader.listMembersInOrganizationById({ ...input, query: { limit: 0 } })).rejects.toMatchObject({
        details: [{ field: 'limit' }],
      })
    })
  })
}
