/** Files over HTTP: sent as forms, fetched at signed addresses, shown only when they can run nothing. */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { boundary, type FormFile, formEnd, formOf, formType, part, rawForm } from '../../kit/forms.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, type Someone, useKit } from '../../kit/server.ts'
import { changed, snapshotOf } from '../../kit/snapshot.ts'
import { samples } from '../../kit/tiny-files.ts'

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const day = 24 * 60 * 60 * 1000

const newSpace = async (kit: Kit, as: 'admin' | 'stranger' = 'admin'): Promise<string> => {
  const organizationId = as === 'admin' ? kit.organization : kit.otherOrganization
  return (await kit.as[as].createSpace({ organizationId, body: { title: 'Files' } })).id
}

const upload = async (kit: Kit, spaceId: string, ...files: FormFile[]) =>
  kit.as.admin.uploadFiles({ spaceId, body: formOf(...files) })

/** Fetches an address that the API gave out, as anybody would: without a token. */
const fetchFile = (kit: Kit, url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  kit.server.app.inject({ method, url: url.replace('http://lectern.test', ''), headers })

const sendRaw = (
  kit: Kit,
  spaceId: string,
  body: Buffer,
  headers: Record<string, string> = {},
  as: Someone = 'admin',
) =>
  kit.request({
    as,
    method: 'POST',
    url: `/v1/spaces/${spaceId}/content/files`,
    headers: { 'content-type': formType, ...headers },
    payload: body,
  })

const blobsOf = async (kit: Kit): Promise<string[]> => {
  const hashes: string[] = []
  for await (const { hash } of kit.env.blobs.list()) hashes.push(hash)
  return hashes
}

eachBackend((backend) => {
  const kit = useKit(backend)
  let spaceId = ''
  beforeAll(async () => {
    spaceId = await newSpace(kit)
  })

  scenarios(
    kit,
    'uploadFiles',
    {
      'needs a token': { as: 'nobody', answers: 401 },
      'is not there for a stranger': { as: 'stranger', answers: 404 },
      'needs edit': { as: 'comment', answers: 403 },
      'needs a file': { as: 'edit', body: () => formOf(), answers: 400, field: 'files' },
      'waits for the lock to be lifted': {
        as: 'edit',
        answers: 409,
        code: 'space_locked',
        given: async () => {
          const locked = await newSpace(kit)
          await kit.as.admin.updateSpaceById({ spaceId: locked, body: { editMode: 'locked' } })
          return { params: { spaceId: locked } }
        },
      },
      'needs a form': { as: 'edit', body: { files: [] }, answers: 415 },
      'adds them in order': {
        as: 'edit',
        body: () => formOf({ name: 'b.txt', bytes: 'b' }, { name: 'a.txt', bytes: '' }),
        answers: 201,
        gives: {
          files: [
            { name: 'b.txt', size: 1, contentType: 'text/plain' },
            { name: 'a.txt', size: 0 },
          ],
        },
      },
    },
    { params: () => ({ spaceId }), body: () => formOf({ name: 'a.txt', type: 'text/plain', bytes: 'a' }) },
  )

  describe('an upload', () => {
    test('makes one revision of the space, which its Location lists', async () => {
      const before = await kit.as.admin.getSpaceById({ spaceId })
      const { status, body, headers } = await kit.call('admin', 'uploadFiles', {
        spaceId,
        body: formOf({ name: 'one.png', bytes: samples.png }, { name: 'two.txt', bytes: 'two' }),
      })
      expect(status).toBe(201)
      const space = await kit.as.admin.getSpaceById({ spaceId })
      expect(space.revision).toBe(body.revision)
      expect(headers.location).toBe(`http://lectern.test/v1/spaces/${spaceId}/revisions/${body.revision}/files`)
      const revision = await kit.as.admin.getRevisionById({ spaceId, revisionId: space.revision })
      expect(revision.parents).toEqual([before.revision])
      const files = body.files as unknown as { id: string; name: string }[]
      expect(files.map(({ name }) => name)).toEqual(['one.png', 'two.txt'])
      for (const { id, name } of files) {
        expect(await kit.as.read.getFileById({ spaceId, fileId: id })).toMatchObject({ id, name })
      }
    })

    test('looks at the bytes, not at the word of the sender', async () => {
      for (const { name, type, bytes, is, dimensions } of samples.all) {
        const { files } = await upload(kit, spaceId, { name, type: type ?? 'image/png', bytes })
        expect(files[0], name).toMatchObject({
          name,
          contentType: is,
          size: bytes.length,
          ...(dimensions && { dimensions }),
        })
        if (!dimensions) expect(files[0], name).not.toHaveProperty('dimensions')
      }
    })

    test('cleans names, and keeps letters of all kinds', async () => {
      const names: [string, string][] = [
        ['../../etc/passwd', 'passwd'],
        ['C:\\Users\\me\\plan.txt', 'plan.txt'],
        ['résumé 简历 🪑.txt', 'résumé 简历 🪑.txt'],
        ['..', 'file'],
        ['evil\u202Egnp.txt', 'evilgnp.txt'],
        ["quote's; filename=x.txt", "quote's; filename=x.txt"],
      ]
      for (const [given, kept] of names) {
        const answer = await sendRaw(kit, spaceId, rawForm(part({ name: given.replaceAll('\\', '\\\\'), bytes: 'x' })))
        expect(answer.json().files[0].name).toBe(kept)
        const file = await fetchFile(kit, answer.json().files[0].downloadURL)
        expect(file.statusCode).toBe(200)
        expect(file.headers['content-disposition']).toContain(`filename*=UTF-8''`)
      }
      const long = await sendRaw(kit, spaceId, rawForm(part({ name: `${'语'.repeat(400)}.txt`, bytes: 'x' })))
      const { name, downloadURL } = long.json().files[0]
      expect(name).toMatch(/^语{83}\.txt$/)
      expect(downloadURL.length).toBeLessThan(2048)
      expect((await fetchFile(kit, downloadURL)).statusCode).toBe(200)
    })

    test('keeps equal bytes once', async () => {
      const bytes = randomBytes(5000)
      const { files } = await upload(kit, spaceId, { name: 'a.bin', bytes }, { name: 'b.bin', bytes })
      const again = await upload(kit, await newSpace(kit), { name: 'c.bin', bytes })
      expect(new Set([...files, ...again.files].map(({ id }) => id)).size).toBe(3)
      expect((await blobsOf(kit)).filter((hash) => hash === sha(bytes))).toHaveLength(1)
    })

    test('goes through the client that skips HTTP as well', async () => {
      const client = await kit.inProcess('edit')
      const { files } = await client.uploadFiles({ spaceId, body: formOf({ name: 'x.png', bytes: samples.png }) })
      expect(files[0]).toMatchObject({ contentType: 'image/png', dimensions: { width: 3, height: 2 } })
    })

    test('skips fields and inputs in which nothing was chosen', async () => {
      const form = formOf({ name: 'kept.txt', bytes: 'kept' })
      form.append('note', 'a field')
      form.append('files', new Blob([]), '')
      const { files } = await kit.as.admin.uploadFiles({ spaceId, body: form })
      expect(files.map(({ name }) => name)).toEqual(['kept.txt'])
    })
  })

  describe('a change request', () => {
    test('takes files that main does not have, also while the space is locked', async () => {
      const space = await newSpace(kit)
      const { id: changeRequestId } = await kit.as.edit.createChangeRequest({ spaceId: space })
      await kit.as.admin.updateSpaceById({ spaceId: space, body: { editMode: 'locked' } })
      const before = await kit.as.edit.getSpaceById({ spaceId: space })
      const body = formOf({ name: 'new.png', bytes: samples.png })
      const { revision, files } = await kit.as.edit.uploadFilesInChangeRequest({
        spaceId: space,
        changeRequestId,
        body,
      })
      expect((await kit.as.edit.getSpaceById({ spaceId: space })).revision).toBe(before.revision)
      expect((await kit.as.edit.getChangeRequestById({ spaceId: space, changeRequestId })).revision).toBe(revision)
      const listed = await kit.as.edit.listFilesInChangeRequestById({ spaceId: space, changeRequestId })
      expect(listed.items.map(({ id }) => id)).toEqual(files.map(({ id }) => id))
      expect((await kit.as.edit.listFiles({ spaceId: space })).count).toBe(0)
      expect((await fetchFile(kit, files[0]?.downloadURL ?? '')).rawPayload.equals(samples.png)).toBe(true)
      const archived = { spaceId: space, changeRequestId }
      await kit.as.edit.updateChangeRequestById({ ...archived, body: { status: 'archived' } })
      expect(await kit.call('edit', 'uploadFilesInChangeRequest', { ...archived, body })).toMatchObject({
        status: 409,
        body: { error: { type: 'change_request_closed' } },
      })
    })
  })

  describe('a form that is wrong', () => {
    const one = part({ name: 'a.txt', bytes: 'hello' })
    const twentyOne = Array.from({ length: 21 }, (_, i) => part({ name: `${i}.txt`, bytes: String(i) }))
    const fields = (count: number, size = 1) =>
      Array.from({ length: count }, (_, i) =>
        part({ name: '', bytes: 'x'.repeat(size), headers: `Content-Disposition: form-data; name="f${i}"` }),
      )
    const wrong: Record<string, [body: Buffer, status: number, headers?: Record<string, string>]> = {
      'has no boundary': [rawForm(one), 400, { 'content-type': 'multipart/form-data' }],
      'has an empty boundary': [rawForm(one), 400, { 'content-type': 'multipart/form-data; boundary=' }],
      'has an endless boundary': [
        rawForm(one),
        400,
        { 'content-type': `multipart/form-data; boundary=${'x'.repeat(300)}` },
      ],
      'has another boundary': [rawForm(one), 400, { 'content-type': 'multipart/form-data; boundary=other' }],
      'has no closing boundary': [one, 400],
      'breaks off in a file': [one.subarray(0, -4), 400],
      'breaks off in a header': [one.subarray(0, 60), 400],
      'is empty': [formEnd, 400],
      'is no form at all': [Buffer.from('hello'), 400],
      'holds only fields': [rawForm(...fields(3)), 400],
      'has a part without a disposition': [rawForm(part({ name: '', bytes: 'x', headers: 'X: y' })), 400],
      'has too many files': [rawForm(...twentyOne), 400],
      'has too many fields': [rawForm(...fields(101), one), 400],
      'has a field that is too large': [rawForm(...fields(1, 1024 * 1024 + 1), one), 413],
      'is large beside its files': [rawForm(...fields(6, 900_000), one), 413],
      'says that it is larger than everything': [rawForm(one), 413, { 'content-length': '9999999999' }],
      'is JSON': [Buffer.from('{}'), 415, { 'content-type': 'application/json' }],
      'is another kind of multipart': [rawForm(one), 415, { 'content-type': `multipart/mixed; boundary=${boundary}` }],
    }
    for (const [title, [body, status, headers]] of Object.entries(wrong)) {
      test(`${status} when it ${title}`, async () => {
        const before = await snapshotOf(kit.db)
        const answer = await sendRaw(kit, spaceId, body, headers)
        expect(answer.statusCode, answer.payload).toBe(status)
        // What came before the fault may be stored; nothing refers to it.
        expect(changed(before, await snapshotOf(kit.db)).filter((table) => !table.startsWith('blob'))).toEqual([])
      })
    }

    test('is refused by operations that take JSON', async () => {
      const answer = await kit.request({
        as: 'admin',
        method: 'POST',
        url: `/v1/spaces/${spaceId}/content`,
        headers: { 'content-type': formType },
        payload: rawForm(one),
      })
      expect(answer.statusCode).toBe(415)
    })

    test('is refused without a body and without a type', async () => {
      const answer = await kit.request({ as: 'admin', method: 'POST', url: `/v1/spaces/${spaceId}/content/files` })
      expect(answer.statusCode).toBe(415)
    })

    test('never hangs or half succeeds, wherever it breaks off', async () => {
      const whole = rawForm(one, part({ name: 'b.png', type: 'image/png', bytes: samples.png }), ...fields(1))
      const before = await kit.as.admin.getSpaceById({ spaceId })
      // The two bytes after the closing boundary are not needed.
      for (let length = 0; length < whole.length - 2; length += 7) {
        const answer = await sendRaw(kit, spaceId, whole.subarray(0, length))
        expect(answer.statusCode, `${length} of ${whole.length}`).toBe(400)
      }
      expect((await kit.as.admin.getSpaceById({ spaceId })).revision).toBe(before.revision)
    })
  })

  describe('Idempotency-Key', () => {
    const send = (key: string, ...files: FormFile[]) =>
      kit.call('admin', 'uploadFiles', { spaceId, body: formOf(...files), idempotencyKey: key })
    const note = { name: 'note.txt', bytes: 'once' }

    test('gives the same answer to the same files, and adds them once', async () => {
      const first = await send('files-1', note)
      const second = await send('files-1', note)
      expect(second).toMatchObject({ status: 201, body: first.body })
      expect(second.headers.location).toBe(first.headers.location)
      expect((await kit.as.admin.getSpaceById({ spaceId })).revision).toBe(first.body.revision)
    })

    test('is refused with other bytes, another name or more files', async () => {
      await send('files-2', note)
      for (const other of [[{ ...note, bytes: 'twice' }], [{ ...note, name: 'other.txt' }], [note, note]]) {
        expect(await send('files-2', ...other)).toMatchObject({ status: 422 })
      }
    })

    test('holds for requests that come together', async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => send('files-3', note)))
      expect(new Set(answers.map(({ body }) => String(body.revision))).size).toBe(1)
    })
  })

  describe('an address', () => {
    const text = 'hello, reader'
    let url = ''
    beforeAll(async () => {
      const { files } = await upload(kit, spaceId, { name: 'hello.txt', type: 'text/plain', bytes: text })
      url = files[0]?.downloadURL ?? ''
    })

    test('gives the bytes to whoever holds it, with safe headers', async () => {
      const file = await fetchFile(kit, url)
      expect(file.statusCode).toBe(200)
      expect(file.payload).toBe(text)
      expect(file.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(text.length),
        'content-disposition': `inline; filename="hello.txt"; filename*=UTF-8''hello.txt`,
        etag: `"${sha(Buffer.from(text))}"`,
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
      })
      expect(file.headers['content-security-policy']).toMatch(/^default-src 'none';.* sandbox$/)
      expect(file.headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/)
      expect(file.headers['set-cookie']).toBeUndefined()
    })

    test('answers HEAD like GET, without the bytes', async () => {
      const [get, head] = [await fetchFile(kit, url), await fetchFile(kit, url, {}, 'HEAD')]
      expect(head.statusCode).toBe(200)
      expect(head.payload).toBe('')
      for (const name of ['content-length', 'content-type', 'etag', 'content-disposition'])
        expect(head.headers[name]).toBe(get.headers[name])
    })

    test('answers 304 to whoever has it', async () => {
      const etag = `"${sha(Buffer.from(text))}"`
      for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const file = await fetchFile(kit, url, { 'if-none-match': held })
        expect([file.statusCode, file.payload]).toEqual([304, ''])
        expect(file.headers.etag).toBe(etag)
      }
      expect((await fetchFile(kit, url, { 'if-none-match': '"x"' })).statusCode).toBe(200)
    })

    test('gives parts', async () => {
      const etag = `"${sha(Buffer.from(text))}"`
      const cases: [Record<string, string>, number, string][] = [
        [{ range: 'bytes=0-4' }, 206, 'hello'],
        [{ range: 'bytes=7-' }, 206, 'reader'],
        [{ range: 'bytes=-6' }, 206, 'reader'],
        [{ range: 'bytes=0-0' }, 206, 'h'],
        [{ range: 'bytes=7-999999' }, 206, 'reader'],
        [{ range: 'bytes=-999' }, 206, text],
        [{ range: 'bytes=0-4', 'if-range': etag }, 206, 'hello'],
        [{ range: 'bytes=0-4', 'if-range': '"other"' }, 200, text],
        [{ range: 'bytes=0-4', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 200, text],
        [{ range: 'bytes=0-1,3-4' }, 200, text],
        [{ range: 'bytes=4-2' }, 200, text],
        [{ range: 'bytes=-' }, 200, text],
        [{ range: 'lines=0-4' }, 200, text],
        [{ range: 'bytes=a-b' }, 200, text],
      ]
      for (const [headers, status, payload] of cases) {
        const file = await fetchFile(kit, url, headers)
        expect([file.statusCode, file.payload], JSON.stringify(headers)).toEqual([status, payload])
        expect(file.headers['content-length']).toBe(String(payload.length))
      }
      const middle = await fetchFile(kit, url, { range: 'bytes=7-9' })
      expect(middle.headers['content-range']).toBe(`bytes 7-9/${text.length}`)
      for (const range of ['bytes=13-', 'bytes=99-100', 'bytes=-0']) {
        const none = await fetchFile(kit, url, { range })
        expect([none.statusCode, none.headers['content-range']], range).toEqual([416, `bytes */${text.length}`])
        expect(none.json().error).toMatchObject({ code: 416, type: 'range_not_satisfiable' })
      }
    })

    test('serves an empty file, whole', async () => {
      const { files } = await upload(kit, spaceId, { name: 'empty.txt', bytes: '' })
      for (const headers of [{}, { range: 'bytes=0-' }] as Record<string, string>[]) {
        const file = await fetchFile(kit, files[0]?.downloadURL ?? '', headers)
        expect([file.statusCode, file.payload, file.headers['content-length']]).toEqual([200, '', '0'])
      }
    })

    test('is worth nothing when altered, cut or made up', async () => {
      const [, , token = ''] = url.replace('http://lectern.test', '').split('/')
      const [payload = '', mac = ''] = token.split('.')
      const ticket = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const seal = (change: object) => Buffer.from(JSON.stringify({ ...ticket, ...change })).toString('base64url')
      const forged = [
        `${seal({ until: ticket.until + day })}.${mac}`,
        `${seal({ type: 'text/html' })}.${mac}`,
        `${seal({ name: 'setup.exe' })}.${mac}`,
        `${seal({ blob: sha(Buffer.from('another')) })}.${mac}`,
        `${payload}.${'A'.repeat(22)}`,
        payload,
        `${payload}.`,
        `${token}.x`,
        kit.env.signer.seal('list:files', Buffer.from(payload, 'base64url').toString()),
        ticket.blob,
        '..%2f..%2fetc%2fpasswd',
        '%00',
      ]
      for (const wrong of forged) {
        const file = await fetchFile(kit, `/files/${wrong}/hello.txt`)
        expect(file.statusCode, wrong).toBe(404)
        expect(file.headers['cache-control']).toBe('private, no-store')
      }
      for (const nowhere of ['/files', '/files/', `/files/${token}`, `/files/${ticket.blob}`])
        expect((await fetchFile(kit, nowhere)).statusCode).toBe(404)
      expect((await fetchFile(kit, `/files/${token}/any-name`)).payload).toBe(text)
    })

    test('ends after a day at the latest, and a new one is given out', async () => {
      const { files } = await upload(kit, spaceId, { name: 'short.txt', bytes: 'lived' })
      const [old, fileId] = [files[0]?.downloadURL ?? '', files[0]?.id ?? '']
      const now = kit.clock.now()
      try {
        kit.clock.advance(day / 2 - 60_000)
        expect((await fetchFile(kit, old)).statusCode).toBe(200)
        kit.clock.advance(day / 2 + 120_000)
        const late = await fetchFile(kit, old)
        expect(late.statusCode).toBe(404)
        expect(late.json().error.message).toContain('expired')
        const { downloadURL } = await kit.as.read.getFileById({ spaceId, fileId })
        expect((await fetchFile(kit, downloadURL)).payload).toBe('lived')
      } finally {
        kit.clock.set(now)
      }
    })
  })

  describe('tenants', () => {
    test('cannot reach each other’s files, even with the same bytes', async () => {
      const secret = randomBytes(2000)
      const { files } = await upload(kit, spaceId, { name: 'ours.bin', bytes: secret })
      const fileId = files[0]?.id ?? ''
      for (const someone of ['nobody', 'stranger', 'disabled'] as const) {
        for (const name of ['getFileById', 'listFiles']) {
          const { status } = await kit.call(someone, name, { spaceId, ...(name === 'getFileById' ? { fileId } : {}) })
          expect([401, 404]).toContain(status)
        }
      }
      const theirs = await newSpace(kit, 'stranger')
      expect(await kit.call('stranger', 'getFileById', { spaceId: theirs, fileId })).toMatchObject({ status: 404 })
      // Whoever has the bytes already may store them; that tells nothing of who else has.
      const same = await kit.as.stranger.uploadFiles({
        spaceId: theirs,
        body: formOf({ name: 'mine.bin', bytes: secret }),
      })
      const other = await kit.as.stranger.uploadFiles({
        spaceId: theirs,
        body: formOf({ name: 'mine.bin', bytes: randomBytes(2000) }),
      })
      const shape = (file: object | undefined) => Object.keys(file ?? {})
      expect(shape(same.files[0])).toEqual(shape(other.files[0]))
      // Knowing the hash is no right: no operation takes one.
      const changes = [{ operation: 'insert_files', files: [{ name: 'x', contentType: 'a/b', blob: sha(secret) }] }]
      expect(await kit.call('stranger', 'updateSpaceContent', { spaceId: theirs, body: { changes } })).toMatchObject({
        status: 400,
      })
    })

    test('get no right on the other’s files by uploading under their space', async () => {
      const theirs = await newSpace(kit, 'stranger')
      expect(
        await kit.call('admin', 'uploadFiles', { spaceId: theirs, body: formOf({ name: 'a', bytes: 'a' }) }),
      ).toMatchObject({ status: 404 })
    })
  })

  describe('what can run', () => {
    test('is saved, never shown; what cannot is shown', async () => {
      for (const { name, type, bytes, inline, sentAs } of samples.all) {
        const { files } = await upload(kit, spaceId, { name, type: type ?? 'text/html', bytes })
        const file = await fetchFile(kit, files[0]?.downloadURL ?? '')
        expect(file.headers['content-disposition'], name).toMatch(inline ? /^inline;/ : /^attachment;/)
        expect(file.headers['content-type'], name).toBe(sentAs)
        expect(file.headers['x-content-type-options']).toBe('nosniff')
        expect(file.headers['content-security-policy']).toContain('sandbox')
        expect(file.rawPayload.equals(bytes)).toBe(true)
      }
    })
  })
})
