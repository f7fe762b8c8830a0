/** The guarded fetch against private addresses (a canary must never be reached) and against hostile servers. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FetchError, type FetchOptions, fetchLimits, makeFetch } from '../../src/platform/fetch.ts'
import { makeFolder } from '../kit/backends.ts'
import { requireOpenssl } from '../kit/programs.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'fetched'
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return error.code
  }
}

describe('private addresses', () => {
  let connections = 0
  let port = 0
  beforeAll(async () => {
    const canary = createSocketServer((socket) => {
      connections++
      socket.destroy()
    })
    // Port 8080 where it is free: the guard must not be able to refuse by the port alone.
    port = await new Promise<number>((resolve) => {
      canary.once('error', () => canary.listen(8443, '::', () => resolve(8443)))
      canary.listen(8080, '::', () => resolve(8080))
    })
    closing.push(() => canary.close())
  })

  // biome-ignore format: a table reads best as one.
  const forms = [
    '127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '0x7f.1', '0x7f000001', '017700000001', '127.0.0.1.', '１２７.0.0.1',
    '0.0.0.0', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::7f00:1]',
    '[64:ff9b::7f00:1]', '[2002:7f00:1::]', 'localhost', 'localhost.', 'LOCALHOST', '10.0.0.1', '192.168.0.1', '172.16.0.1',
    '100.64.0.1', '169.254.169.254', '[fe80::1]', '[fd00::1]', '[fec0::1]', '224.0.0.1', '255.255.255.255',
  ]

  it.each(forms)('are refused: %s', async (host) => {
    expect(await codeOf(makeFetch({ allowPrivate: false })(`http://${host}:${port}/`))).toBe('FETCH_BLOCKED')
  })

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1:8080/_x',
    'data:text/plain,x',
    'ftp://example.com/',
    'javascript:alert(1)',
    'http://user:pass@example.com/',
    'http://example.com@127.0.0.1:8080/',
    'http://127.0.0.1:8080#@example.com/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:6379/',
    'http://[::1%25lo]:8080/',
    'http://',
    'not an address',
    '//127.0.0.1/',
    '',
  ])('and other tricks: %s', async (url) => {
    expect(await codeOf(makeFetch({ allowPrivate: false })(url))).toBe('FETCH_BLOCKED')
  })

  it('are refused when a name resolves to one, also as one of several', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::1'], ['::ffff:7f00:1'], []]) {
      const fetch = makeFetch({
        allowPrivate: false,
        addressesOf: (_, done) =>
          done(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
      })
      expect(await codeOf(fetch(`http://rebound.example:${port}/`))).toBe('FETCH_BLOCKED')
    }
  })

  it('are refused when the name changes its mind between two questions', async () => {
    let questions = 0
    const fetch = makeFetch({
      allowPrivate: false,
      // Public at first (an address that nobody answers at), then the canary's.
      addressesOf: (_, done) => done(null, [{ address: questions++ === 0 ? '192.88.98.1' : '127.0.0.1', family: 4 }]),
    })
    await codeOf(fetch(`http://rebound.example:${port}/`, { milliseconds: 300 }))
    expect(questions).toBe(1)
    expect(await codeOf(fetch(`http://rebound.example:${port}/`))).toBe('FETCH_BLOCKED')
  })

  it('are refused as the end of a redirect, at any hop', async () => {
    const target = `http://169.254.169.254/latest/meta-data/`
    const hop = await serve((request, response) => {
      const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('left') ?? 0)
      response.writeHead(302, { location: left > 0 ? `/?left=${left - 1}` : target }).end()
    })
    const fetch = makeFetch({ allowPrivate: true })
    expect(await codeOf(fetch(`${hop}/?left=0`))).toBe('FETCH_BLOCKED')
    expect(await codeOf(fetch(`${hop}/?left=4`))).toBe('FETCH_BLOCKED')
  })

  it('never reached the canary', () => expect(connections).toBe(0))
})

describe('hostile servers', () => {
  const fetch = makeFetch({ allowPrivate: true })

  it('an endless body', async () => {
    const url = await serve((_, response) => {
      const piece = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    })
    const before = process.memoryUsage().rss
    expect(await codeOf(fetch(url))).toBe('TOO_LARGE')
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024)
  })

  it('a body that says it is 10 GB', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 10e9 })
      response.write('x')
    })
    expect(await codeOf(fetch(url))).toBe('TOO_LARGE')
  })

  it('a gzip bomb, by size and by ratio', async () => {
    const bomb = gzipSync(Buffer.alloc(24 * 1024 * 1024), { level: 9 })
    expect(bomb.length).toBeLessThan(30_000)
    const larger = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'abcdefgh'))
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(request.url === '/larger' ? larger : bomb)
    })
    const before = process.memoryUsage().rss
    expect(await codeOf(fetch(url))).toBe('TOO_LARGE')
    expect(await codeOf(fetch(`${url}/larger`))).toBe('TOO_LARGE')
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('a body that drips, and one that never begins', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/silent') return
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const began = performance.now()
    expect(await codeOf(fetch(url, { milliseconds: 300 }))).toBe('FETCH_TIMEOUT')
    expect(await codeOf(fetch(`${url}/silent`, { milliseconds: 300 }))).toBe('FETCH_TIMEOUT')
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('redirects without end, and to nowhere', async () => {
    let requests = 0
    const url = await serve((request, response) => {
      requests++
      const location =
        request.url === '/nowhere' ? 'http://[broken' : request.url === '/file' ? 'file:///etc/passwd' : '/again'
      response.writeHead(302, { location }).end()
    })
    expect(await codeOf(fetch(url))).toBe('FETCH_ERROR')
    expect(requests).toBe(fetchLimits.redirects + 1)
    expect(await codeOf(fetch(`${url}/nowhere`))).toBe('FETCH_BLOCKED')
    expect(await codeOf(fetch(`${url}/file`))).toBe('FETCH_BLOCKED')
  })

  it('broken answers', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/short') {
        response.writeHead(200, { 'content-length': 100 })
        response.write('x')
        setTimeout(() => response.destroy(), 20)
      } else if (request.url === '/encoding') response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x')
      else if (request.url === '/notgzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain text')
      else if (request.url === '/headers') response.writeHead(200, { 'x-long': 'x'.repeat(64 * 1024) }).end()
      else response.socket?.end('HTTP/9.9 nonsense\r\n\r\n')
    })
    for (const path of ['/short', '/encoding', '/notgzip', '/headers', '/nonsense']) {
      expect(await codeOf(fetch(url + path)), path).toBe('FETCH_ERROR')
    }
    expect(await codeOf(fetch('http://127.0.0.1:1/'))).toBe('FETCH_ERROR')
  })
})

describe('https', () => {
  const certificate = makeCertificate()
  const start = async (): Promise<string> => {
    const server = createSecureServer(certificate, (_, response) => response.end('secret'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    return `:${(server.address() as AddressInfo).port}/`
  }

  it('is believed only with a certificate that somebody vouches for', async () => {
    const rest = await start()
    const addressesOf: FetchOptions['addressesOf'] = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    const fetch = makeFetch({ allowPrivate: true, addressesOf })
    await expect(fetch(`https://self.example${rest}`)).rejects.toMatchObject({
      code: 'FETCH_ERROR',
      message: expect.stringContaining('SELF_SIGNED'),
    })
    expect(await codeOf(fetch(`https://127.0.0.1${rest}`))).toBe('FETCH_ERROR')
    expect(await codeOf(makeFetch({ allowPrivate: false, addressesOf })('https://self.example/'))).toBe('FETCH_BLOCKED')
  })
})

describe('an honest server', () => {
  const fetch = makeFetch({ allowPrivate: true })

  it('gives bytes, type and where they came from, through redirects and compression', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve((request, response) => {
      seen.push(request.headers['x-secret'] as string | undefined)
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br', etag: '"1"' })
      response.end(brotliCompressSync('{"ok":true}'))
    })
    const url = await serve((request, response) => {
      seen.push(request.headers['x-secret'] as string | undefined)
      response.writeHead(301, { location: `${other}/spec.json#part` }).end()
    })
    const fetched = await fetch(url, { headers: { 'x-secret': 'shh' } })
    expect(fetched).toMatchObject({ url: `${other}/spec.json`, status: 200, contentType: 'application/json' })
    expect(Buffer.from(fetched.bytes).toString()).toBe('{"ok":true}')
    expect(fetched.headers.etag).toBe('"1"')
    expect(seen).toEqual(['shh', undefined])
  })

  it('has no body for HEAD, whatever it says about it', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 9e9 }).end(),
    )
    expect(await fetch(url, { method: 'HEAD' })).toMatchObject({ status: 200, bytes: { length: 0 } })
  })

  it('answers other statuses as errors, unless they are wanted', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('no'))
    await expect(fetch(url)).rejects.toMatchObject({ code: 'FETCH_ERROR', status: 404 })
    expect(await fetch(url, { anyStatus: true })).toMatchObject({ status: 404 })
  })

  it('takes a body, and follows no redirect with it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/away') return response.writeHead(307, { location: '/' }).end()
      request.pipe(response)
    })
    const sent = await fetch(url, { method: 'POST', body: 'hello' })
    expect(Buffer.from(sent.bytes).toString()).toBe('hello')
    expect(await codeOf(fetch(`${url}/away`, { method: 'POST', body: 'hello' }))).toBe('FETCH_ERROR')
  })
})

/** A certificate that nobody vouches for. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = makeFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=self.example',
  ]
  const names = ['-addext', 'subjectAltName=DNS:self.example,IP:127.0.0.1']
  execFileSync(requireOpenssl(), ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const pair = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return pair
}

describe('a server that hangs up', () => {
  /** Answers with these bytes, most of them while the reader is busy with the first, and ends the connection at once. */
  async function hangUpAfter(head: string, body: Buffer): Promise<string> {
    const server = createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${head}Connection: close\r\n\r\n`)
        socket.write(body.subarray(0, 1000))
        setTimeout(() => socket.end(body.subarray(1000)), 30)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const body = Buffer.alloc(66 * 1024, 'a')
  const slowly = { into: () => new Promise<void>((resolve) => setTimeout(resolve, 150)) }

  // The end of the connection meets a reader that has stopped reading for a moment; an error there would be nobody's to catch.
  it.each([
    ['with its length', `Content-Length: ${body.length}\r\n`],
    ['without it', ''],
  ])('is read to its end by a slow reader, %s', async (_, head) => {
    const url = await hangUpAfter(head, body)
    let size = 0
    const into = async (part: Uint8Array): Promise<void> => {
      size += part.length
      await slowly.into()
    }
    await makeFetch({ allowPrivate: true })(url, { into })
    expect(size).toBe(body.length)
  })

  it('is an error when it hangs up too early', async () => {
    const url = await hangUpAfter(`Content-Length: ${body.length + 1}\r\n`, body)
    expect(await codeOf(makeFetch({ allowPrivate: true })(url, slowly))).toBe('FETCH_ERROR')
  })
})
