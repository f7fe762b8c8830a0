/** Reads that come by a socket are routed without Fastify, and are answered like those that come through it. */
import { request as ask } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend, { rateLimit: 100_000 })
  let url = ''
  let space = ''

  beforeAll(async () => {
    url = await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
    space = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Read' } })).id
    await kit.as.admin.updateSpaceContent({
      spaceId: space,
      body: { changes: [{ operation: 'insert_page', title: 'One', document: { markdown: 'Text.\n\n'.repeat(400) } }] },
    })
  })

  interface Answered {
    status: number | undefined
    headers: Record<string, unknown>
    body: string
  }

  const bySocket = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const call = ask(`${url}${path}`, { method, headers }, async (response) =>
        resolve({ status: response.statusCode, headers: stable(response.headers), body: await text(response) }),
      )
      call.on('error', reject)
      call.end(body)
    })

  const throughFastify = async (method: 'GET' | 'HEAD', path: string, headers: Record<string, string>) => {
    const answer = await kit.request({ method, url: path, headers })
    return { status: answer.statusCode, headers: stable(answer.headers), body: answer.payload }
  }

  /** What is not another with each request or connection. */
  const stable = (headers: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(headers).filter(
        ([name]) => !/^(date|connection|keep-alive|x-ratelimit-(remaining|reset))$/.test(name),
      ),
    )

  test('whatever is asked for and whoever asks', async () => {
    const bearer = { authorization: `Bearer ${kit.people.admin.token}`, 'x-request-id': 'same' }
    const etag = (await bySocket('GET', `/v1/spaces/${space}`, bearer)).headers.etag as string
    const cases: [string, Record<string, string>, number][] = [
      [`/v1/spaces/${space}`, bearer, 200],
      [`/v1/spaces/${space}/?n=1`, bearer, 200],
      [`/v1/spaces/${space}`, { ...bearer, 'if-none-match': etag }, 304],
      [`/v1/spaces/${space}/content/path/one`, bearer, 200],
      [`/v1/spaces/${space}/content/path/one/two%2Fthree`, bearer, 404],
      [`/v1/spaces/${space}`, { 'x-request-id': 'same' }, 401],
      [`/v1/spaces/${space}`, { ...bearer, authorization: 'Bearer nobody' }, 401],
      ['/v1/spaces/none', bearer, 404],
      ['/v1/nothing/here', bearer, 404],
      [`/v1/spaces/${space}/content/page/%zz`, bearer, 400],
      [`/v1/orgs/${kit.organization}/members?limit=abc`, bearer, 400],
      ['/v1/openapi.json', { ...bearer, 'if-none-match': '*' }, 304],
    ]
    for (const [path, headers, status] of cases) {
      const direct = await bySocket('GET', path, headers)
      expect(direct.status, path).toBe(status)
      expect(direct, path).toEqual(await throughFastify('GET', path, headers))
      expect(direct.headers['x-request-id']).toBe('same')
    }
  })

  test('HEAD, and a GET that has a body', async () => {
    const bearer = { authorization: `Bearer ${kit.people.admin.token}`, 'x-request-id': 'same' }
    const read = await bySocket('GET', `/v1/spaces/${space}`, bearer)
    expect(await bySocket('HEAD', `/v1/spaces/${space}`, bearer)).toEqual({ ...read, body: '' })
    expect(await bySocket('GET', `/v1/spaces/${space}`, { ...bearer, 'content-length': '2' }, '{}')).toEqual(read)
  })

  test('in the encodings that are accepted', async () => {
    const bearer = { authorization: `Bearer ${kit.people.admin.token}`, 'x-request-id': 'same' }
    const path = `/v1/spaces/${space}/content/path/one`
    const plain = await bySocket('GET', path, bearer)
    expect(plain.headers.vary).toBe('accept-encoding')
    const packed = await fetch(`${url}${path}`, { headers: { ...bearer, 'accept-encoding': 'gzip' } })
    expect([packed.headers.get('content-encoding'), packed.headers.get('etag')]).toEqual([
      'gzip',
      `W/${plain.headers.etag}`,
    ])
    expect(await packed.text()).toBe(plain.body)
  })

  test('are counted by their route', async () => {
    const before = (await kit.metrics()).match(
      /seconds_count\{[^}]*route="\/v1\/spaces\/:spaceId",status="404"\} (\d+)/,
    )?.[1]
    await bySocket('GET', '/v1/spaces/none', { authorization: `Bearer ${kit.people.admin.token}` })
    await expect
      .poll(async () =>
        Number(
          (await kit.metrics()).match(/seconds_count\{[^}]*route="\/v1\/spaces\/:spaceId",status="404"\} (\d+)/)?.[1],
        ),
      )
      .toBe(Number(before) + 1)
  })
})
