/** Specs over the API, and what their job makes of sources good and bad, on both databases. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { listJobs } from '../../../src/store/jobs.ts'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

const pets = (version = '1.0.0') => `
openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths:
  /pets:
    get: { summary: List pets, responses: { '200': { description: Pets } } }
`

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  const org = () => ({ organizationId: kit.organization })
  const one = (specSlug: string) => ({ ...org(), specSlug })
  const url = { source: { url: 'https://example.org/openapi.yaml' } }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOpenAPISpec', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no capital letters': { as: 'create', body: { slug: 'Pets', ...url }, answers: 400, field: 'slug' },
    'takes no file address':    { as: 'create', body: { slug: 'pets', source: { url: 'file:///etc/passwd' } }, answers: 400, field: 'source.url' },
    'takes one source':         { as: 'create', body: { slug: 'pets', source: { url: 'https://example.org', text: 'x' } }, answers: 400, field: 'source' },
    'makes no second one':      { as: 'create', given: async (k) => void (await k.as.create.createOpenAPISpec({ ...org(), body: { slug: 'twice', ...url } })), body: { slug: 'twice', ...url }, answers: 409 },
    'makes it':                 { as: 'create', answers: 201, gives: { object: 'openapi-spec', slug: 'pets', sourceURL: url.source.url, visibility: 'private', processingState: 'pending', lastProcessedErrorCount: 0, permissions: { view: true, edit: true } }, writes: ['openapiSpec', 'job', 'event'] },
    'drops other fields':       { as: 'create', body: { slug: 'later', source: { url: 'https://example.org/later.yaml', branch: 'main' }, later: true }, answers: 201, writes: ['openapiSpec', 'job'], gives: () => ({ slug: 'later', sourceURL: 'https://example.org/later.yaml' }) },
  }, { params: org, body: { slug: 'pets', ...url } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOrUpdateOpenAPISpecBySlug', {
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs the right':          { as: 'review', answers: 403 },
    'takes no other slug':      { as: 'create', params: () => one('Not_a_slug'), answers: 400, field: 'specSlug' },
    'makes one':                { as: 'create', params: () => one('put'), answers: 201, gives: { slug: 'put' } },
    'changes one':              { as: 'create', answers: 200, gives: { slug: 'pets', processingState: 'pending' } },
  }, { params: () => one('pets'), body: { source: { text: pets() } } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getOpenAPISpecBySlug', {
    'is hidden from guests': { as: 'guest', answers: 404 },
    'names one':             { as: 'read', params: () => one('other'), answers: 404 },
    'shows it':              { as: 'read', answers: 200, gives: { slug: 'pets', permissions: { view: true, edit: false } } },
  }, { params: () => one('pets') })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateOpenAPISpecBySlug', {
    'needs the right': { as: 'review', answers: 403 },
    'opens it':        { as: 'create', answers: 200, gives: { visibility: 'public' }, writes: ['openapiSpec', 'event'] },
  }, { params: () => one('pets'), body: { visibility: 'public' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteOpenAPISpecBySlug', {
    'needs the right':   { as: 'review', params: () => one('put'), answers: 403 },
    'deletes it':        { as: 'create', params: () => one('put'), answers: 204, writes: ['openapiSpec', 'job', 'event'] },
    'is done already':   { as: 'create', params: () => one('put'), answers: 204 },
  }, { params: () => one('put') })

  test('a long text is stored as it was sent, wherever it is cut', async () => {
    // Of two texts that begin one letter apart, one is cut in the middle of a character.
    for (const lead of ['', 'x']) {
      const description = lead + '😀'.repeat(70_000)
      const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Long', version: '1', description }, paths: {} })
      await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...one('long'), body: { source: { text } } })
      await processed(kit, 'long')
      const raw = await kit.as.read.getLatestOpenAPISpecVersionContentRaw(one('long'))
      expect(JSON.stringify(raw).includes('\ufffd')).toBe(false)
      expect(raw).toMatchObject({ info: { description } })
    }
  })

  test('a spec sent as text becomes a version, and another only when it says something else', async () => {
    const put = (text: string) =>
      kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...one('pets'), body: { source: { text } } })
    await put(pets())
    const first = await processed(kit, 'pets')
    expect(first).toMatchObject({ processingState: 'complete', lastProcessedErrorCount: 0 })
    await put(`# A comment\n${pets()}`)
    expect((await processed(kit, 'pets')).lastVersion).toBe(first.lastVersion)
    await put(pets('2.0.0'))
    const second = await processed(kit, 'pets')
    expect(second.lastVersion).not.toBe(first.lastVersion)
    const versions = await kit.as.read.listOpenAPISpecVersions(one('pets'))
    expect(versions.items.map(({ id }) => id)).toEqual([second.lastVersion, first.lastVersion])
    const raw = await kit.as.read.getLatestOpenAPISpecVersionContentRaw(one('pets'))
    expect(raw).toMatchObject({ info: { version: '2.0.0' } })
    const versionId = first.lastVersion ?? ''
    const content = await kit.as.read.getOpenAPISpecVersionContentById({ ...one('pets'), versionId })
    expect(content.filesystem).toMatchObject({ 'openapi.json': { info: { title: 'Pets', version: '1.0.0' } } })
    // A mistake is told with its place, and the last good version stays.
    await put('openapi: 3.1.0\ninfo: { title: Pets\npaths: {}')
    const wrong = await processed(kit, 'pets')
    expect(wrong).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR', lastVersion: second.lastVersion })
    expect(wrong.lastProcessedErrors?.[0]?.message).toMatch(/Line \d+, column \d+/)
    await put('openapi: 3.1.0\ninfo: { title: Pets, version: 1 }\npaths: { /pets: { get: 7 } }')
    expect((await processed(kit, 'pets')).lastProcessedErrors?.[0]?.message).toContain('/paths/~1pets/get is not')
  })

  test('the content of a version is sent while it is read, in the encoding and to the tag that is asked for', async () => {
    const description = 'Some words. '.repeat(60_000)
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Sent', version: '1', description }, paths: {} })
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...one('sent'), body: { source: { text } } })
    await processed(kit, 'sent')
    const url = `/v1/orgs/${kit.organization}/openapi/sent/versions/latest/content`
    const ask = (headers: Record<string, string>, path = url, method: 'GET' | 'HEAD' = 'GET') =>
      kit.request({ as: 'read', method, url: path, headers })
    const plain = await ask({})
    expect(JSON.parse(plain.payload).filesystem['openapi.json']).toEqual(JSON.parse(text))
    expect(plain.headers['content-length']).toBe(String(plain.rawPayload.length))
    expect((await ask({}, `${url}/raw`)).payload).toBe(text)
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync }
    for (const [encoding, decode] of Object.entries(decoders)) {
      const answer = await ask({ 'accept-encoding': encoding })
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, etag: `W/${plain.headers.etag}` })
      expect(decode(answer.rawPayload).equals(plain.rawPayload)).toBe(true)
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10)
    }
    expect((await ask({ 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304)
    const head = await ask({}, url, 'HEAD')
    expect([head.payload, head.headers['content-length']]).toEqual(['', plain.headers['content-length']])
    expect((await ask({}, `${url}/raw`)).headers.etag).not.toBe(plain.headers.etag)

    // The store gives the rest only when the reader has the beginning.
    const { blobs } = kit.env
    const { open } = blobs
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    let isClosed = false
    blobs.open = async (hash, range) => {
      const bytes = await open.call(blobs, hash, range)
      return (async function* () {
        try {
          for await (const part of bytes ?? []) {
            yield part
            await begun
          }
        } finally {
          isClosed = true
        }
      })()
    }
    try {
      await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = kit.server.app.server.address() as AddressInfo
      const headers = { authorization: `Bearer ${kit.people.read.token}` }
      const asking = get({ port, path: `${url}/raw`, headers, agent: false })
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      const [beginning] = await once(answer, 'data')
      expect(beginning.length).toBeGreaterThan(0)
      // Who goes away in the middle leaves nothing open.
      asking.destroy()
      begin()
      await vi.waitUntil(() => isClosed, { timeout: 60_000 })
    } finally {
      blobs.open = open
    }
  })

  test('anyone reads a public spec, and nobody a private one', async () => {
    const spec = await kit.as.admin.getOpenAPISpecBySlug(one('pets'))
    const path = new URL(spec.urls.published ?? '').pathname
    const found = await kit.request({ method: 'GET', url: path })
    expect(found.statusCode).toBe(200)
    expect(found.json()).toMatchObject({ info: { title: 'Pets' } })
    await kit.as.admin.updateOpenAPISpecBySlug({ ...one('pets'), body: { visibility: 'private' } })
    expect((await kit.request({ method: 'GET', url: path })).statusCode).toBe(404)
    expect((await kit.as.admin.getOpenAPISpecBySlug(one('pets'))).urls.published).toBeUndefined()
  })

  test('nobody puts a spec on a page that they do not see', async () => {
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...one('inner'), body: { source: { text: pets() } } })
    await processed(kit, 'inner')
    const { id: spaceId } = await kit.as.admin.createSpace({ ...org(), body: { title: 'For a guest' } })
    await kit.as.admin.inviteToSpace({ spaceId, body: { role: 'edit', users: [kit.people.guest.id] } })
    const computed = (spec: string) => ({
      operation: 'insert_page' as const,
      title: 'API',
      document: {},
      type: 'computed' as const,
      computed: {
        type: 'builtin:openapi' as const,
        dependencies: { spec: { ref: { kind: 'openapi' as const, spec } } },
      },
    })
    const block = (spec: string, title = 'Pets') => ({
      operation: 'insert_page' as const,
      title,
      document: {
        markdown: `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}`,
      },
    })
    const { id: changeRequestId } = await kit.as.guest.createChangeRequest({ spaceId })
    const refused = { status: 404 }
    for (const spec of ['inner', 'none'])
      for (const change of [computed(spec), block(spec)]) {
        const body = { changes: [change] }
        await expect(kit.as.guest.updateSpaceContent({ spaceId, body })).rejects.toMatchObject(refused)
        const draft = kit.as.guest.updateChangeRequestContent({ spaceId, changeRequestId, body })
        await expect(draft).rejects.toMatchObject(refused)
      }
    // What a member put there may be edited, and what anyone may read may be shown.
    const { changes } = await kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [block('inner'), computed('later')] },
    })
    const page = typeof changes[0]?.page === 'object' ? changes[0].page.id : ''
    const { id: base } = await kit.as.guest.getCurrentRevision({ spaceId })
    const edit = (spec: string) => ({
      operation: 'update_page' as const,
      page,
      document: { markdown: `Words.\n\n${block(spec).document.markdown}` },
    })
    await kit.as.guest.updateSpaceContent({ spaceId, body: { changes: [edit('inner')] } })
    for (const change of [edit('other'), { ...edit('other'), base }])
      await expect(kit.as.guest.updateSpaceContent({ spaceId, body: { changes: [change] } })).rejects.toMatchObject(
        refused,
      )
    await kit.as.admin.updateOpenAPISpecBySlug({ ...one('inner'), body: { visibility: 'public' } })
    await kit.as.guest.updateSpaceContent({ spaceId, body: { changes: [computed('inner')] } })
  })

  let remote: Server
  let root = ''
  const asked: string[] = []
  const answers: Record<string, string | Buffer> = {
    '/whole.yaml': pets(),
    '/parts/openapi.yaml': `${pets()}components: { schemas: { Pet: { $ref: './pet.yaml#/Pet' } } }`,
    '/parts/pet.yaml':
      'Pet: { type: object, properties: { mother: { $ref: "#/Pet" }, all: { $ref: "openapi.yaml#/paths" } } }',
    '/broken.yaml': 'openapi: [',
    '/page.html': '<!doctype html><title>Not found</title>',
    '/latin.yaml': Buffer.from([...Buffer.from('openapi: 3.1.0\ninfo: {title: '), 0xe9, 0x7d]),
    '/file.yaml': `${pets()}components: { schemas: { A: { $ref: 'file:///etc/passwd' } } }`,
    '/private.yaml': `${pets()}components: { schemas: { A: { $ref: 'http://169.254.169.254/latest' } } }`,
    '/deep.json': `{"openapi":"3.1.0","info":{"title":"Deep","version":"1"},"paths":{},"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    '/deep.yaml': `openapi: 3.1.0\nx: ${'['.repeat(10_000)}`,
    '/bomb.yaml': `openapi: 3.1.0\n${Array.from(
      { length: 9 },
      (_, i) =>
        `x${i}: &x${i} [${Array(10)
          .fill(i === 0 ? '1' : `*x${i - 1}`)
          .join(', ')}]`,
    ).join('\n')}`,
    '/loop.yaml': 'openapi: 3.1.0\ninfo: {title: Loop, version: 1}\npaths: {}\nx: &x [*x]',
    '/proto.json':
      '{"openapi":"3.1.0","info":{"title":"P","version":"1"},"paths":{"__proto__":{"get":{}},"/a":{"get":{"responses":{}}}},"__proto__":{"polluted":1},"components":{"schemas":{"constructor":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}}',
    '/circular.yaml': `${pets()}components: { schemas: { Node: { type: object, properties: { next: { $ref: '#/components/schemas/Node' } } }, A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } }`,
  }

  beforeAll(async () => {
    remote = createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      if (path === '/slow.yaml') return
      if (path === '/promised.yaml')
        return void response.writeHead(200, { 'content-length': 10_000_000_000 }).write('o')
      if (path === '/dripping.yaml') {
        const drip = setInterval(() => response.write(' '), 50)
        return void response.on('close', () => clearInterval(drip))
      }
      const turn = /^\/turn(\d+)\.yaml$/.exec(path)?.[1]
      if (turn) return void response.writeHead(302, { location: `/turn${Number(turn) + 1}.yaml` }).end()
      if (path === '/gone.yaml') return void response.writeHead(404).end()
      if (path === '/packed.yaml') {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        return void response.end(gzipSync(Buffer.alloc(40 * 1024 * 1024, 32)))
      }
      if (path === '/endless.yaml') {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, 32)));
        }
        response.on('drain', more)
        return more()
      }
      response.end(answers[path] ?? '')
    })
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve))
    root = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
  })
  afterAll(() => {
    remote.closeAllConnections()
    remote.close()
  })

  const from = async (path: string) => {
    const body = { source: { url: root + path } }
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...one('remote'), body })
    return processed(kit, 'remote')
  }

  test('a spec at an address is fetched with all it refers to, and again six hours later', async () => {
    expect(await from('/whole.yaml')).toMatchObject({ processingState: 'complete', lastProcessedErrorCount: 0 })
    const [job] = (await listJobs(kit.db, { kind: 'openapi' })).filter(({ state }) => state === 'waiting')
    const hours = (Date.parse(job?.runAt ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(5.9)
    expect(hours).toBeLessThan(6.1)
    expect(await from('/parts/openapi.yaml')).toMatchObject({ lastProcessedErrorCount: 0 })
    const { filesystem } = await kit.as.read.getLatestOpenAPISpecVersionContent(one('remote'))
    expect(Object.keys(filesystem)).toEqual([`${root}/parts/openapi.yaml`, `${root}/parts/pet.yaml`])
  })

  // biome-ignore format: a table reads best as one.
  test.each([
    ['/broken.yaml',   'PARSE_ERROR', /Line 1/],
    ['/page.html',     'PARSE_ERROR', /not an object/],
    ['/latin.yaml',    'PARSE_ERROR', /UTF-8/],
    ['/gone.yaml',     'FETCH_ERROR', /404/],
    ['/packed.yaml',   'FETCH_ERROR', /grows|larger/],
    ['/endless.yaml',  'FETCH_ERROR', /larger/],
    ['/promised.yaml', 'FETCH_ERROR', /larger/],
    ['/turn1.yaml',    'FETCH_ERROR', /redirect/i],
    ['/file.yaml',     'FETCH_ERROR', /Only http/],
    ['/private.yaml',  'FETCH_ERROR', /not a public address/],
    ['/deep.json',     'PARSE_ERROR', /nested more deeply/],
    ['/deep.yaml',     'PARSE_ERROR', /depth|nest/i],
    ['/bomb.yaml',     'PARSE_ERROR', /more than/],
    ['/loop.yaml',     'PARSE_ERROR', /nested|cannot be read/],
  ])('%s ends with %s', async (path, code, message) => {
    const spec = await from(path)
    expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: code })
    expect(spec.lastProcessedErrors?.[0]?.message).toMatch(message)
  })

  test('a server that never answers, or never ends, ends with FETCH_TIMEOUT', async () => {
    const { fetch } = kit.env
    kit.env.fetch = (address, request) => fetch(address, { ...request, milliseconds: 300 })
    expect(await from('/slow.yaml')).toMatchObject({ lastProcessErrorCode: 'FETCH_TIMEOUT' })
    expect(await from('/dripping.yaml')).toMatchObject({ lastProcessErrorCode: 'FETCH_TIMEOUT' })
    kit.env.fetch = fetch
  })

  test('circles and names of prototypes are content like any other', async () => {
    expect(await from('/circular.yaml')).toMatchObject({ lastProcessedErrorCount: 0 })
    expect(await from('/proto.json')).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('nothing leads to an address of this network where those are closed', async () => {
    const { fetch } = kit.env
    const { makeFetch } = await import('../../../src/platform/fetch.ts')
    kit.env.fetch = makeFetch({ allowPrivate: false })
    asked.length = 0
    expect(await from('/whole.yaml')).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR' })
    const text = `${pets()}components: { schemas: { A: { $ref: '${root}/whole.yaml' } } }`
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({ ...one('pets'), body: { source: { text } } })
    expect(await processed(kit, 'pets')).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR' })
    expect(asked).toEqual([])
    kit.env.fetch = fetch
  })
})

/** The spec once its job has run. */
async function processed(kit: Kit, specSlug: string) {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { openapi } })
  await worker.start()
  const params = { organizationId: kit.organization, specSlug }
  const spec = await vi.waitFor(
    async () => {
      const found = await kit.as.admin.getOpenAPISpecBySlug(params)
      expect(found.processingState).toBe('complete')
      return found
    },
    { timeout: 30_000, interval: 20 },
  )
  await worker.stop()
  return spec
}
