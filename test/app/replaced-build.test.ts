/** A build that takes the place of another under a running server: people with the app open can go on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { makeUrls } from '../../src/core/urls.ts'
import { addApp } from '../../src/http/app.ts'

const folder = `${mkdtempSync(join(tmpdir(), 'lectern-app-'))}/`
afterAll(() => rmSync(folder, { recursive: true }))

function writeBuild(hash: string): void {
  const [main, early] = [`main-${hash}.js`, `early-${hash}.js`]
  writeFileSync(`${folder}${main}`, `/* ${hash} */`)
  writeFileSync(`${folder}${early}`, '')
  const named = { main, early, style: `app-${hash}.css`, font: 'font.woff2', shell: [main], side: [], editor: [] }
  writeFileSync(`${folder}entries.json`, JSON.stringify(named))
}

test('the page names the files of the new build, and those of the build before are still there', async () => {
  const app = fastify()
  addApp(app, makeUrls({ app: 'http://localhost:4000', sites: 'http://localhost:4000/sites' }), folder)
  const get = (url: string) => app.inject({ method: 'GET', url })
  writeBuild('AAA')
  expect((await get('/app')).payload).toContain('/app/~/main-AAA.js')
  rmSync(`${folder}main-AAA.js`)
  mkdirSync(`${folder}before`)
  writeFileSync(`${folder}before/main-AAA.js`, '/* AAA */')
  writeBuild('BBB')
  expect((await get('/app')).payload).toContain('/app/~/main-BBB.js')
  expect((await get('/app/~/main-AAA.js')).payload).toBe('/* AAA */')
  expect((await get('/app/~/main-BBB.js')).payload).toBe('/* BBB */')
  expect((await get('/app/~/main-CCC.js')).statusCode).not.toBe(200)
  await app.close()
})
