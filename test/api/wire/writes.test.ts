/** Writes that come by a socket with a small body are routed without Fastify, and are answered like those that come through it. */
import { request as ask } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface Sent {
  method: Method
  path: string
  headers?: Record<string, string>
  body?: string | undefined
}

eachBackend((backend) => {
  const kit = useKit(backend, { rateLimit: 100_000 })
  let url = ''
  let space = ''
  const json = { 'content-type': 'application/json' }
  const bearer = () => ({ authorization: `Bearer ${kit.people.admin.token}`, 'x-request-id': 'same' })
  const comment = (markdown: string) => JSON.stringify({ body: { markdown } })

  beforeAll(async () => {
    url = await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
    space = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Written' } })).id
  })

  const bySocket = ({ method, path, headers = {}, body }: Sent) =>
    new Promise<unknown>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const call = ask(`${url}${path}`, { method, headers: { ...headers, ...length } }, async (response) =>
        resolve({ status: response.statusCode, headers: stable(response.headers), body: masked(await text(response)) }),
      )
      call.on('error', reject)
      call.end(body)
    })

  const throughFastify = async ({ method, path, headers = {}, body }: Sent) => {
    const answer = await kit.request({ method, url: path, headers, ...(body === undefined ? {} : { payload: body }) })
    return { status: answer.statusCode, headers: stable(answer.headers), body: masked(answer.payload) }
  }

  const newComment = async () => {
    const made = await kit.as.admin.postCommentInSpace({ spaceId: space, body: { body: { markdown: 'Hi' } } })
    return `/v1/spaces/${space}/comments/${made.id}`
  }

  test('whatever is written and whoever writes', async () => {
    const comments = `/v1/spaces/${space}/comments`
    const by = { ...bearer(), ...json }
    const cases: [number, Sent][] = [
      [200, { method: 'POST', path: comments, headers: by, body: comment('A **bold** word') }],
      [200, { method: 'POST', path: `${comments}/`, headers: by, body: comment('ünïcode “quotes”') }],
      [200, { method: 'POST', path: comments, headers: by, body: comment('long '.repeat(1000)) }],
      [200, { method: 'POST', path: comments, headers: { ...by, 'if-match': '*' }, body: comment('x') }],
      [201, { method: 'POST', path: `/v1/orgs/${kit.organization}/spaces`, headers: by, body: '{"title":"New"}' }],
      [400, { method: 'POST', path: comments, headers: by, body: '{"body":{}}' }],
      [400, { method: 'POST', path: comments, headers: by, body: '{"body":' }],
      [400, { method: 'POST', path: comments, headers: by, body: '' }],
      [400, { method: 'POST', path: comments, headers: bearer() }],
      [400, { method: 'POST', path: comments, headers: { ...by, 'idempotency-key': '' }, body: comment('x') }],
      [401, { method: 'POST', path: comments, headers: { 'x-request-id': 'same', ...json }, body: comment('x') }],
      [404, { method: 'POST', path: '/v1/spaces/none/comments', headers: by, body: comment('x') }],
      [404, { method: 'POST', path: '/v1/nothing/here', headers: by, body: '{}' }],
      [405, { method: 'PUT', path: comments, headers: by, body: '{}' }],
      [415, { method: 'POST', path: comments, headers: { ...by, 'content-type': 'text/plain' }, body: 'x' }],
      [
        415,
        {
          method: 'DELETE',
          path: `${comments}/none`,
          headers: { ...bearer(), 'content-type': 'text/plain' },
          body: 'x',
        },
      ],
      [
        204,
        {
          method: 'DELETE',
          path: `${comments}/none`,
          headers: { ...bearer(), 'content-type': 'text/plain' },
          body: '',
        },
      ],
      [
        200,
        {
          method: 'POST',
          path: `/v1/orgs/${kit.organization}/ping`,
          headers: { ...bearer(), 'content-type': 'application/x-www-form-urlencoded' },
          body: '',
        },
      ],
      [412, { method: 'PATCH', path: `/v1/spaces/${space}`, headers: { ...by, 'if-match': '"other"' }, body: '{}' }],
      [200, { method: 'PATCH', path: `/v1/spaces/${space}`, headers: by, body: '{"title":"Renamed"}' }],
      [204, { method: 'DELETE', path: `${comments}/none`, headers: bearer() }],
    ]
    for (const [status, sent] of cases) {
      const direct = await bySocket(sent)
      const said = `${sent.method} ${sent.path} ${sent.body?.slice(0, 40)}`
      expect(direct, said).toEqual(await throughFastify(sent))
      expect(direct, said).toMatchObject({ status, headers: { 'x-request-id': 'same' } })
    }
    const [one, other] = [await newComment(), await newComment()]
    expect(await bySocket({ method: 'DELETE', path: one, headers: bearer() })).toEqual(
      await throughFastify({ method: 'DELETE', path: other, headers: bearer() }),
    )
  })

  test('one that is repeated by the other way is the same one', async () => {
    const sent: Sent = {
      method: 'POST',
      path: `/v1/spaces/${space}/comments`,
      headers: { ...bearer(), ...json, 'idempotency-key': 'both-ways' },
      body: comment('Once'),
    }
    const count = async () => (await kit.as.admin.getSpaceById({ spaceId: space })).comments
    const before = await count()
    expect(await bySocket(sent)).toEqual(await throughFastify(sent))
    expect(await count()).toBe(before + 1)
  })

  test('by a session only where a page of ours sent it', async () => {
    const own = { ...json, 'sec-fetch-site': 'same-origin', 'x-lectern-app': '1' }
    const begun = await fetch(`${url}/v1/sessions`, {
      method: 'POST',
      headers: own,
      body: JSON.stringify({ token: kit.people.admin.token }),
    })
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
    const path = `/v1/spaces/${space}/comments`
    const cases: [number, Record<string, string>][] = [
      [200, own],
      [401, { ...own, 'sec-fetch-site': 'cross-site' }],
      [401, { ...json, 'sec-fetch-site': 'same-origin' }],
      [401, { ...json, origin: 'https://evil.test', 'x-lectern-app': '1' }],
      [401, { ...own, 'x-lectern-user': kit.people.read.id }],
    ]
    for (const [status, headers] of cases) {
      const sent: Sent = {
        method: 'POST',
        path,
        headers: { ...headers, cookie, 'x-request-id': 'same' },
        body: comment('x'),
      }
      const direct = await bySocket(sent)
      expect(direct, JSON.stringify(headers)).toMatchObject({ status })
      expect(direct, JSON.stringify(headers)).toEqual(await throughFastify(sent))
    }
  })

  test('in the encodings that are accepted', async () => {
    const headers = { ...bearer(), ...json, 'accept-encoding': 'gzip' }
    const init = { method: 'POST', headers, body: comment('long '.repeat(1000)) }
    const packed = await fetch(`${url}/v1/spaces/${space}/comments`, init)
    expect([packed.status, packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
      200,
      'gzip',
      'accept-encoding',
    ])
    expect(await packed.json()).toMatchObject({ object: 'comment' })
  })

  test('a body may come later than its headers, in pieces, and another request on the same connection', async () => {
    const body = Buffer.from(comment('In pieces, ünïcode'))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const received = text(socket)
    const head = (length: number, more = '') =>
      `POST /v1/spaces/${space}/comments HTTP/1.1\r\nhost: x\r\nauthorization: ${bearer().authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`
    socket.write(head(body.length))
    for (const at of [0, 20, 36]) {
      await sleep(30)
      socket.write(body.subarray(at, { 0: 20, 20: 36 }[at] ?? body.length))
    }
    socket.write(head(2, 'connection: close\r\n'))
    await sleep(30)
    socket.write('{}')
    const answers = await received
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(answers).toContain('In pieces, ünïcode')
  })

  test('several with their bodies may come at once, and are answered in their order', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const received = text(socket)
    const request = (body: string, more = '') =>
      `POST /v1/spaces/${space}/comments HTTP/1.1\r\nhost: x\r\nauthorization: ${bearer().authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`
    const close = 'connection: close\r\n'
    // The first is larger than what a stream takes before it is read.
    const first = comment(`Long ${'word '.repeat(12_000)}`)
    socket.write(request(first) + request(comment('Sécond')) + request('{}') + request(comment('Last'), close))
    const answers = await received
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual(['200', '200', '400', '200'])
    expect(answers.match(/Long word|Sécond|Last/g)).toEqual(['Long word', 'Sécond', 'Last'])
  })
})

/** What is not another with each request or connection. */
const stable = (headers: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !/^(date|connection|keep-alive|content-length|x-ratelimit-(remaining|reset))$/.test(name))
      .map(([name, value]) => [name, name === 'location' ? masked(String(value)) : value]),
  )

/** Ids and times are others each time. */
const masked = (body: string): string =>
  body.replace(/\b[A-Za-z0-9]{20}\b/g, '…').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
