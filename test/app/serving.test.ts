/** How the app reaches a browser: one page, files that are kept for ever, and not more of them than agreed. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

const kit = useKit(sqlite)
const folder = fileURLToPath(new URL('../../dist/app/', import.meta.url))
const entries: {
  main: string
  early: string
  german: string
  style: string
  shell: string[]
  side: string[]
  editor: string[]
} = JSON.parse(readFileSync(`${folder}entries.json`, 'utf8'))

describe('the page', () => {
  test.each(['/app', '/app/', '/app/s/abc/p/def', '/app/o/x'])('stands at %s', async (url) => {
    const { statusCode, headers, payload } = await kit.request({ method: 'GET', url })
    expect(statusCode).toBe(200)
    expect(payload).toContain(`/app/~/${entries.main}`)
    expect(payload).not.toMatch(/<style|style="|\son\w+=/)
    expect(headers['content-security-policy']).toMatch(/require-trusted-types-for 'script'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe/)
    const inline = [...payload.matchAll(/<script>([^<]*)<\/script>/g)].map(([, text = '']) => text)
    expect(inline).toEqual([readFileSync(`${folder}${entries.early}`, 'utf8')])
    const hash = createHash('sha256').update(String(inline[0])).digest('base64')
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(headers['cache-control']).toBe('no-cache')
    const again = await kit.request({ method: 'GET', url, headers: { 'if-none-match': String(headers.etag) } })
    expect(again.statusCode).toBe(304)
  })

  test.each([
    ['/app', ['shell']],
    ['/app/s/abc/history', ['shell', 'side']],
    ['/app/s/abc/p/def?block=x', ['shell', 'editor']],
    ['/app/s/abc/c/3/edit/p/def', ['shell', 'editor']],
  ] as const)('at %s has the browser fetch %j at once', async (url, parts) => {
    const { payload } = await kit.request({ method: 'GET', url })
    const named = [...payload.matchAll(/<link rel="modulepreload" href="\/app\/~\/([^"]+)">/g)].map(([, name]) => name)
    expect(named).toEqual(parts.flatMap((part) => entries[part]).filter((name) => name !== entries.main))
    expect(new Set(named).size).toBe(named.length)
  })

  test.each([
    ['/app', []],
    ['/app/s/abc/history', ['/spaces/abc/content/pages?fields=tree', '/spaces/abc']],
    [
      '/app/s/abc/p/def?block=x',
      ['/spaces/abc/content/page/def?format=document&amp;pages=false&amp;revision=true', '/spaces/abc'],
    ],
    [
      '/app/s/abc/c/3/edit/p/def',
      [
        '/spaces/abc/change-requests/3/content/page/def?format=document&amp;pages=false&amp;revision=true',
        '/spaces/abc',
        '/spaces/abc/change-requests/3',
      ],
    ],
    ['/app/s/%22%3E%3Cb%3E/p/x', []],
  ])('at %s has the browser ask for what its screen shows', async (url, calls) => {
    const { payload } = await kit.request({ method: 'GET', url })
    const named = [...payload.matchAll(/<link rel="preload" as="fetch" href="\/v1([^"]+)" crossorigin>/g)]
    expect(named.map(([, call]) => call)).toEqual([...calls, '/user', '/orgs?limit=200'])
  })

  // A browser has six connections to a server and uses them in this order.
  test('names the large files first, then the page, then the rest', async () => {
    const { payload } = await kit.request({ method: 'GET', url: '/app/s/abc/p/def' })
    const named = [...payload.matchAll(/(?:href|src)="\/(?:v1|app\/~)\/([^"]+)"/g)].map(([, name = '']) => name)
    const sizes = [entries.main, ...entries.editor].map((name) => statSync(`${folder}${name}`).size)
    expect(named.slice(0, 2)).toEqual([entries.main, entries.editor[0]])
    expect(sizes.slice(2).every((size) => size <= Math.min(...sizes.slice(0, 2)))).toBe(true)
    expect(named.findIndex((name) => name.includes('content/page/'))).toBe(
      [entries.shell, entries.editor].flat().length,
    )
  })

  test.each([
    [{ 'accept-language': 'de-CH, en;q=0.8' }, true],
    [{ 'accept-language': 'en, de;q=0.8' }, false],
    [{ 'accept-language': 'en', cookie: 'lectern_language=de' }, true],
    [{}, false],
  ])('asked for with %j, brings the words in German: %s', async (headers, isGerman) => {
    const { payload, headers: sent } = await kit.request({ method: 'GET', url: '/app', headers })
    expect(payload.includes(`<link rel="modulepreload" href="/app/~/${entries.german}">`)).toBe(isGerman)
    expect(sent.vary).toMatch(/accept-language.*cookie/)
  })

  test('needs few files to write in', () => {
    expect([entries.shell, entries.editor].flat().length).toBeLessThan(5)
  })

  test('stands where people who are signed in arrive', async () => {
    const there = await kit.request({
      method: 'GET',
      url: '/',
      headers: { cookie: `a=b; lectern_session=${'x'.repeat(43)}` },
    })
    expect([there.statusCode, there.headers.location]).toEqual([302, '/app'])
    const stranger = await kit.request({ method: 'GET', url: '/' })
    expect(stranger.payload).toContain('href="/app"')
  })
})

describe('its files', () => {
  test('are kept for ever and sent as small as the browser allows', async () => {
    const url = `/app/~/${entries.main}`
    for (const [accepted, sent] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['', undefined],
    ]) {
      const { statusCode, headers } = await kit.request({
        method: 'GET',
        url,
        headers: { 'accept-encoding': accepted },
      })
      expect([statusCode, headers['content-encoding']]).toEqual([200, sent])
      expect(headers['cache-control']).toMatch(/immutable/)
      expect(headers['content-type']).toMatch(/javascript/)
    }
  })

  test.each(['nothing.js', 'entries.json', '..%2Fmain.js', 'main.js.map'])('%s is not among them', async (name) => {
    expect((await kit.request({ method: 'GET', url: `/app/~/${name}` })).statusCode).toBe(404)
  })

  test('of the shell have at most 135 KB, compressed', () => {
    const bytes = [...entries.shell, entries.style].reduce((sum, name) => sum + statSync(`${folder}${name}.br`).size, 0)
    expect(bytes).toBeLessThan(135 * 1024)
  })

  test('of the shell hold no German', () => {
    for (const name of entries.shell) expect(readFileSync(`${folder}${name}`, 'utf8')).not.toMatch(/Abbrechen/)
    expect(readFileSync(`${folder}${entries.german}`, 'utf8')).toMatch(/Abbrechen/)
  })

  test('hold no validator', () => {
    for (const name of entries.shell) expect(readFileSync(`${folder}${name}`, 'utf8')).not.toMatch(/ZodObject/)
  })
})
