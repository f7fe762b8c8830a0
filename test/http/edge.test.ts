/** What every request has, whichever surface answers it. */
import { execFileSync } from 'node:child_process'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { fail } from '../../src/core/errors.ts'
import { encodingFor, isCompressible } from '../../src/http/edge/encoding.ts'
import { startOperations } from '../../src/http/operations/server.ts'
import { sqlite } from '../kit/backends.ts'
import { type Someone, useKit } from '../kit/server.ts'
import { type Ask, asker, type PublishedSite, portOf, publishedSite, tokenFor } from '../site/serve/site-kit.ts'

const kit = useKit(sqlite)
const long = 'Lorem ipsum dolor sit amet. '.repeat(200)
let site: PublishedSite
let ask: Ask

beforeAll(async () => {
  ask = await asker(kit)
  site = await publishedSite(kit, [{ title: 'Start' }, { title: 'Long', markdown: long }])
})

const bearer = () => ({ authorization: `Bearer ${kit.people.admin.token}` })
const page = { accept: 'text/html,*/*' }
const json = { accept: 'application/json' }

test('an id and no guessing of types on every surface', async () => {
  const paths = [
    '/v1/user',
    '/v1/nowhere',
    '/healthz',
    '/',
    '/signin',
    '/app',
    '/reference',
    '/files/x/y',
    '/nowhere',
    '/%zz',
  ]
  for (const path of [...paths, site.base, `${site.base}/none`, '/sites/never-was', `${site.base}/~search?q=a`]) {
    const { headers } = await ask(path, { headers: { 'x-request-id': 'mine.1' } })
    expect(headers['x-request-id'], path).toBe('mine.1')
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect((await ask(path)).headers['x-request-id'], path).toMatch(/^\w{16,}$/)
  }
})

describe('errors', () => {
  test.each([
    ['/nowhere', page, 404, 'html'],
    ['/nowhere', {}, 404, 'json'],
    ['/v1/nowhere', page, 404, 'json'],
    ['/sites/never-was', {}, 404, 'html'],
    ['/sites/never-was', json, 404, 'json'],
    ['/files/forged/a.txt', page, 404, 'html'],
    ['/files/forged/a.txt', json, 404, 'json'],
    ['/join/forged-invite', {}, 404, 'html'],
  ] as const)('%s for %o: %i as %s', async (path, headers, status, form) => {
    const answer = await ask(path, { headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toContain(form)
    if (form === 'html') expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    else expect(JSON.parse(answer.text).error).toMatchObject({ code: status, type: 'not_found' })
  })

  test('of sites have the same form as all others', async () => {
    const wrong = await ask(site.base, { method: 'DELETE', headers: json })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.allow).toBe('GET, HEAD, POST')
    expect(JSON.parse(wrong.text).error).toMatchObject({
      type: 'method_not_allowed',
      requestId: wrong.headers['x-request-id'],
    })
    const post = (headers: Record<string, string>, body: string) =>
      ask(`${site.base}/~feedback`, { method: 'POST', headers, body })
    expect((await post({ 'content-type': 'image/png' }, 'x')).status).toBe(415)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post(form, `comment=${'x'.repeat(20_000)}`)).status).toBe(413)
    const foreign = await post({ ...form, origin: 'https://elsewhere.test' }, 'rating=good')
    expect(foreign.status).toBe(403)
    expect(foreign.headers['content-type']).toContain('html')
  })

  test('show nothing of an address but as text', async () => {
    const { text } = await ask('/<script>alert(1)</script>', { headers: page })
    expect(text).toContain('&#60;script')
    expect(text).not.toContain('<script')
  })
})

describe('a method that an address does not take', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  // Another route answers at the same address.
  const answeredByOthers = ['GET /reference/~view', 'GET /join/:invite/signup']

  test('is 405 at every route there is, with those that it takes', async () => {
    const routes = routesIn(kit.server.app.printRoutes())
    for (const path of ['/app', '/healthz', '/signin', '/sso/:provider/acs', '/files/:token/:name', '/v1/openapi.json'])
      expect([...routes.keys()]).toContain(path)
    expect(routes.size).toBeGreaterThan(220)
    for (const [path, taken] of routes) {
      const address = path.replace(/:\w+|\*$/g, 'x')
      for (const method of methods) {
        if (taken.includes(method) || answeredByOthers.includes(`${method} ${path}`)) continue
        const { status, headers } = await ask(address, { method })
        expect([method, path, status]).toEqual([method, path, path === '/v1/*' ? 404 : 405])
        if (status === 405) expect(headers.allow?.split(', '), path).toEqual(expect.arrayContaining(taken))
      }
    }
  })

  test.each([
    ['DELETE', '/app/', 'GET, HEAD'],
    ['PUT', '/app/s/any', 'GET, HEAD'],
    ['DELETE', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/signin', 'GET, POST, HEAD'],
    ['GET', '/sso/any/acs', 'POST'],
    ['PROPFIND', '/reference', 'GET, HEAD'],
  ])('%s %s: Allow is %s', async (method, path, allow) => {
    const forPeople = await ask(path, { method, headers: page })
    expect([forPeople.status, forPeople.headers.allow]).toEqual([405, allow])
    const forPrograms = await ask(path, { method, headers: json })
    expect(JSON.parse(forPrograms.text).error).toMatchObject({ code: 405, type: 'method_not_allowed' })
  })

  test('is 404 where nothing is under any method', async () => {
    for (const path of ['/nowhere', '/signin/nowhere', '/v1/nowhere'])
      expect((await ask(path, { method: 'DELETE' })).status, path).toBe(404)
  })
})

/** Fastify's drawing of its routes as addresses with their methods. */
function routesIn(drawing: string): Map<string, string[]> {
  const routes = new Map<string, string[]>()
  const above: string[] = []
  for (const line of drawing.split('\n')) {
    const [, indent = '', part = '', names] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    above.splice(indent.length / 4, above.length, part)
    if (names !== undefined) routes.set(above.join(''), names.split(', '))
  }
  return routes
}

describe('a process that cannot keep up', () => {
  test.each([
    ['/v1/user', page, 'json'],
    ['/v1/orgs/ORG/events', page, 'json'],
    ['SITE/never-read', {}, 'html'],
    ['SITE/never-read', json, 'json'],
    ['/files/forged/a.txt', page, 'html'],
    ['/files/forged/a.txt', {}, 'json'],
    ['/reference', page, 'html'],
    ['/reference', json, 'json'],
    ['/signin', {}, 'html'],
    ['/signin', json, 'json'],
    ['/', page, 'html'],
  ] as const)('%s for %o: 503 as %s, with when to come again', async (path, headers, form) => {
    const address = path.replace('ORG', kit.organization).replace('SITE', site.base)
    const answer = await whileBusy(() => ask(address, { headers: { ...bearer(), ...headers } }))
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(answer.headers['content-type']).toContain(form)
    if (form === 'json') expect(JSON.parse(answer.text).error).toMatchObject({ code: 503, type: 'overloaded' })
    // A browser comes again by itself.
    else expect(answer.text).toContain('http-equiv="refresh"')
  })

  test('does not have a form sent again by itself', async () => {
    const { status, text } = await whileBusy(() => ask('/signin', { method: 'POST', headers: page }))
    expect([status, text.includes('http-equiv="refresh"')]).toEqual([503, false])
  })

  test('serves the app, and whoever watches it', async () => {
    for (const path of ['/app', '/healthz', '/readyz'])
      expect((await whileBusy(() => ask(path))).status, path).toBe(200)
  })

  async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
    const { edge } = kit.server
    const { checkLoad } = edge
    edge.checkLoad = () => {
      throw fail('overloaded')
    }
    try {
      return await work()
    } finally {
      edge.checkLoad = checkLoad
    }
  }
})

test('more streams than one may have open are 429, with when to come again', async () => {
  const end = new AbortController()
  try {
    const answers = await Promise.all(Array.from({ length: 31 }, () => openStream(end.signal)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([[429, '10']])
    expect(await refused[0]?.json()).toMatchObject({ error: { code: 429, type: 'rate_limited' } })
  } finally {
    end.abort()
  }
})

async function openStream(signal: AbortSignal): Promise<Response> {
  const address = `http://127.0.0.1:${await portOf(kit)}/v1/orgs/${kit.organization}/events`
  return fetch(address, { headers: bearer(), signal })
}

describe('encoding', () => {
  test.each([
    [undefined, undefined],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['br;q=0.000, gzip;q=0', undefined],
    ['gzip;q=0.5', 'gzip'],
    ['x-br, xgzip', undefined],
    ['identity', undefined],
  ])('of %s is %s', (accepted, expected) => expect(encodingFor(accepted)).toBe(expected))

  test('is for text, and not for streams', () => {
    for (const type of ['text/html; charset=utf-8', 'application/json', 'application/problem+json', 'image/svg+xml'])
      expect(isCompressible(type), type).toBe(true)
    for (const type of ['text/event-stream; charset=utf-8', 'image/png', 'font/woff2', 'application/pdf', ''])
      expect(isCompressible(type), type).toBe(false)
  })

  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
  test.each(Object.entries(decoders))(
    '%s of the API, again from memory, and of its description',
    async (name, decode) => {
      const spaces = Array.from({ length: 12 }, (_, i) => ({ title: `Space ${i} ${name}` }))
      for (const body of spaces) await kit.as.admin.createSpace({ organizationId: kit.organization, body })
      const path = `/v1/orgs/${kit.organization}/spaces`
      const plain = await ask(path, { headers: bearer() })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.headers.vary).toContain('accept-encoding')
      // The second and third come from what is kept.
      for (let i = 0; i < 3; i++) {
        const encoded = await ask(path, { headers: { ...bearer(), 'accept-encoding': name } })
        expect(encoded.headers['content-encoding']).toBe(name)
        expect(encoded.headers.vary).toContain('accept-encoding')
        expect(Number(encoded.headers['content-length'])).toBe(encoded.bytes.length)
        expect(encoded.bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(decode(encoded.bytes).toString()).toBe(plain.text)
        const etag = encoded.headers.etag ?? ''
        expect(etag).toBe(`W/${plain.headers.etag}`)
        const held = await ask(path, { headers: { ...bearer(), 'accept-encoding': name, 'if-none-match': etag } })
        expect([held.status, held.text]).toEqual([304, ''])
        expect(held.headers['content-encoding']).toBeUndefined()
      }
      const written = await ask('/v1/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
      expect(written.headers).toMatchObject({ 'content-encoding': 'gzip', 'access-control-allow-origin': '*' })
      expect(JSON.parse(gunzipSync(written.bytes).toString()).openapi).toMatch(/^3\./)
    },
  )

  test('of pages of every surface; small answers stay as they are', async () => {
    for (const path of [`${site.base}/long`, '/reference', '/', '/signin']) {
      const { headers, bytes } = await ask(path, { headers: { 'accept-encoding': 'gzip' } })
      expect(headers['content-encoding'], path).toBe('gzip')
      expect(headers.vary, path).toContain('accept-encoding')
      expect(gunzipSync(bytes).toString(), path).toContain('</html>')
    }
    const { headers } = await ask('/v1/user', { headers: { ...bearer(), 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBeUndefined()
  })
})

test('metrics by surface and route, readers of sites included, and no address among the labels', async () => {
  for (const path of ['/long', '/long', '/none', '/robots.txt', '/~search?q=lorem', '/a.b/~c', '/~share/guess'])
    await site.ask(path)
  await ask('/v1/user', { headers: bearer() })
  await ask('/signin')
  await ask('/app/')
  const end = new AbortController()
  expect((await openStream(end.signal)).status).toBe(200)
  end.abort()
  let text = ''
  const count = (labels: string) =>
    Number(new RegExp(`^lectern_http_request_seconds_count\\{${labels}\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  // A stream is counted when it has ended, which the server hears of a moment later.
  await vi.waitFor(async () => {
    text = await kit.metrics()
    const streams = count('surface="stream",method="GET",route="/v1/orgs/:organizationId/events",status="200"')
    expect(streams).toBeGreaterThanOrEqual(1)
    expect(text).toContain('lectern_http_requests_in_progress 0')
  })
  expect(count('surface="app",method="GET",route="/app(?:/\\*)?",status="200"')).toBeGreaterThanOrEqual(1)
  expect(count('surface="site",method="GET",route="page",status="200"')).toBeGreaterThanOrEqual(2)
  expect(count('surface="site",method="GET",route="page",status="404"')).toBeGreaterThanOrEqual(2)
  expect(count('surface="site",method="GET",route="robots.txt",status="200"')).toBe(1)
  expect(count('surface="site",method="GET",route="~search",status="200"')).toBeGreaterThanOrEqual(1)
  expect(count('surface="api",method="GET",route="/v1/user",status="200"')).toBeGreaterThanOrEqual(1)
  expect(count('surface="signin",method="GET",route="/signin",status="200"')).toBeGreaterThanOrEqual(1)
  expect(text).not.toContain(site.basename)
})

test('caches by name, each of its bytes counted and below its limit', async () => {
  for (let i = 0; i < 3; i++) await site.ask('/long')
  const text = await kit.metrics()
  const values = (metric: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^${metric}\\{cache="([^"]+)"\\} (\\S+)`, 'gm'))].map(([, name = '', value]) => [
        name,
        Number(value),
      ]),
    )
  const [bytes, limits, hits] = ['bytes', 'limit_bytes', 'hits'].map((name) => values(`lectern_cache_${name}`))
  const names = kit.db.caches.list().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    expect(limits?.get(name), name).toBeGreaterThan(0)
    expect(bytes?.get(name), name).toBeLessThanOrEqual(limits?.get(name) ?? 0)
  }
  expect(bytes?.get('site pages')).toBeGreaterThan(1000)
  expect(hits?.get('site pages')).toBeGreaterThan(0)
})

describe('who sees the metrics', () => {
  const none = useKit(sqlite)
  test('is nobody, unless the operator says who', async () => {
    expect((await none.request({ method: 'GET', url: '/metrics' })).statusCode).toBe(404)
  })

  const local = useKit(sqlite, { settings: { LECTERN_URL: 'http://localhost:4000' } })
  test('is a program on the same machine, while the installation is of this machine alone', async () => {
    const get = (more: object) => local.request({ method: 'GET', url: '/metrics', ...more })
    expect((await get({})).body).toContain('lectern_http_request_seconds')
    expect((await get({ remoteAddress: '192.0.2.7' })).statusCode).toBe(404)
    expect((await get({ headers: { 'x-forwarded-for': '192.0.2.7' } })).statusCode).toBe(404)
  })

  const token = 'a-token-for-prometheus'
  const shown = useKit(sqlite, { settings: { LECTERN_METRICS: token } })
  test('is whoever shows the token', async () => {
    const get = (authorization?: string) =>
      shown.request({ method: 'GET', url: '/metrics', headers: authorization === undefined ? {} : { authorization } })
    expect((await get()).statusCode).toBe(401)
    expect((await get(`Bearer ${token}x`)).statusCode).toBe(401)
    expect((await get(`Bearer ${shown.people.admin.token}`)).statusCode).toBe(401)
    const shownMetrics = await get(`Bearer ${token}`)
    expect(shownMetrics.statusCode).toBe(200)
    expect(shownMetrics.body).toContain('lectern_http_request_seconds')
  })

  test('is whoever reaches the address, where health is told even while the process is busy', async () => {
    const { edge, checkReady } = kit.server
    const address = { host: '127.0.0.1', port: 0 }
    const operations = await startOperations({ ...address, registry: edge.metrics.registry, checkReady })
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${operations.port}${path}`)
      return [answer.status, await answer.text()] as const
    }
    try {
      expect(await get('/healthz')).toEqual([200, '{"status":"ok"}'])
      expect(await get('/readyz')).toEqual([200, '{"status":"ready"}'])
      expect((await get('/metrics'))[1]).toContain('lectern_http_request_seconds')
      expect((await get('/v1/user'))[0]).toBe(404)
      const asked = askWhileHeld(`http://127.0.0.1:${operations.port}/healthz`)
      expect(Number(asked)).toBeLessThan(1_000)
    } finally {
      await operations.stop()
    }
  })
})

/** Another process asks while this one's event loop stands still; the milliseconds it waited. */
const askWhileHeld = (url: string): string =>
  execFileSync(process.execPath, [
    '-e',
    `const t = performance.now(); fetch('${url}').then((r) => r.text()).then(() => console.log(performance.now() - t))`,
  ]).toString()

describe('organizations', () => {
  const own = useKit(sqlite)
  const create = async (as: Someone) =>
    (await own.call(as, 'createOrganization', { body: { title: 'Another' } })).status

  test('are created by admins of one, by anyone, or by nobody, as the operator says', async () => {
    own.env.organizationCreators = 'admins'
    expect([await create('admin'), await create('create'), await create('guest')]).toEqual([201, 403, 403])
    own.env.organizationCreators = 'anyone'
    expect(await create('read')).toBe(201)
    own.env.organizationCreators = 'nobody'
    expect(await create('admin')).toBe(403)
  })
})

describe('wrong keys and tokens of visitors', () => {
  const many = useKit(sqlite)

  test('are refused by address after a while; right ones, and readers without any, are served on', async () => {
    const hidden = await publishedSite(many, [{ title: 'Start' }], { visibility: 'share-link' })
    const closed = await publishedSite(many, [{ title: 'Start' }], { visibility: 'visitor-auth' })
    const open = await publishedSite(many, [{ title: 'Start' }])
    const authorization = `Bearer ${await tokenFor(many, closed)}`
    expect((await closed.ask('', { headers: { authorization } })).status).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < 70; i++) {
      const forged = `Bearer aaaa.bbbb${i}.cccc`
      const answer =
        i % 2 === 0
          ? await hidden.ask(`/~share/guess-${i}`)
          : await closed.ask('', { headers: { authorization: forged, accept: 'application/json' } })
      statuses.push(answer.status)
    }
    expect(statuses.slice(0, 60).every((status) => status === 404 || status === 401)).toBe(true)
    expect(statuses.slice(60).every((status) => status === 429)).toBe(true)
    const refused = await hidden.ask('/~share/guess-again')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await closed.ask('', { headers: { authorization } })).status).toBe(200)
    expect((await open.ask('')).status).toBe(200)
  })
})
