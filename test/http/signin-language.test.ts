/** The pages of signing in speak the language that the browser asks for. */
import { describe, expect, test } from 'vitest'
import { type Letter, writeLetter } from '../../src/domain/sessions/letters.ts'
import { languageIn } from '../../src/http/edge/language.ts'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

test.each([
  ['', 'en'],
  ['de', 'de'],
  ['de-CH, fr;q=0.9, en;q=0.8', 'de'],
  ['fr, en;q=0.8, de;q=0.9', 'de'],
  ['en-GB,de;q=0.9', 'en'],
  ['fr;q=1, ja', 'en'],
  ['de;q=0', 'en'],
  ['DE', 'de'],
  [';;,,q=1', 'en'],
  ['de;q=much, en;q=0.1', 'en'],
])('Accept-Language: %s is %s', (accepted, language) => {
  expect(languageIn(accepted)).toBe(language)
})

describe('the pages', () => {
  const kit = useKit(sqlite)
  const headers = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' }
  const open = (url: string) => kit.server.app.inject({ url, headers })

  test.each([
    ['/signin', 'Anmelden'],
    ['/signin?message=out', 'Du bist abgemeldet.'],
    ['/signin/reset', 'Passwort vergessen'],
    ['/signout', 'Abmelden'],
    [`/signin/password/${'x'.repeat(43)}`, 'Dieser Link gilt nicht mehr'],
    ['/sso/finish?code=none', 'Du wurdest nicht angemeldet'],
  ])('%s is in German', async (url, words) => {
    const { body, headers: answered } = await open(url)
    expect(body).toContain('<html lang="de">')
    expect(body).toContain(words)
    expect(answered['content-language']).toBe('de')
    expect(answered.vary).toContain('accept-language')
  })

  test('a refusal is in German, too', async () => {
    const send = (fields: Record<string, string>) =>
      kit.server.app.inject({
        method: 'POST',
        url: '/signin',
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        payload: new URLSearchParams(fields).toString(),
      })
    const wrong = await send({ email: 'nobody@example.com', password: 'not this one' })
    expect(wrong.statusCode).toBe(401)
    expect(wrong.body).toContain('Die E-Mail-Adresse oder das Passwort stimmt nicht.')
    const empty = await send({ email: '', password: '' })
    expect(empty.body).toContain('Gib deine E-Mail-Adresse ein.')
  })

  test('the language chosen in the app counts before the one that the browser asks for', async () => {
    const cookie = 'a=b; lectern_language=de'
    const chosen = await kit.server.app.inject({ url: '/signin', headers: { cookie, 'accept-language': 'en' } })
    expect(chosen.body).toContain('<html lang="de">')
    const unknown = { cookie: 'lectern_language=fr', 'accept-language': 'de' }
    expect((await kit.server.app.inject({ url: '/signin', headers: unknown })).body).toContain('<html lang="de">')
  })

  test.each([
    ['/app/~/gone.js', 404, 'Hier ist nichts', 'Es gibt das nicht'],
    ['/join/nosuchinvite', 404, 'Dieser Link gilt nicht mehr', 'Die Einladung ist vorbei'],
    ['/nowhere', 404, 'Hier ist nichts', 'Es gibt das nicht'],
  ])('%s says in German what went wrong', async (url, status, title, sentence) => {
    const answer = await kit.server.app.inject({ url, headers: { ...headers, accept: 'text/html' } })
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toContain('<html lang="de">')
    expect(answer.body).toContain(title)
    expect(answer.body).toContain(sentence)
  })

  test('letters are in the language of who asked for them', async () => {
    const person = await kit.addPerson({ email: 'anna@lectern.test', role: 'read' })
    const { id: invite } = await kit.as.admin.createOrganizationInvite({
      organizationId: kit.organization,
      body: { role: 'read' },
    })
    const write = (letter: Letter) => writeLetter({ db: kit.db, env: kit.env, now: new Date().toISOString() }, letter)
    for (const language of ['de', undefined] as const) {
      const given = language === undefined ? {} : { language }
      const letters = await Promise.all([
        write({ email: person.email, ...given }),
        write({ email: person.email, organizationId: kit.organization, ...given }),
        write({ email: person.email, invite, ...given }),
        write({ email: 'new@lectern.test', invite, ...given }),
      ])
      for (const letter of letters)
        expect(letter?.text).toMatch(language === 'de' ? /\b(du|hier)\b/i : /\b(you|here)\b/i)
      for (const letter of letters) expect(letter?.text).not.toMatch(language === 'de' ? /\b(you|here)\b/i : /\bdu\b/i)
    }
  })

  test('who asks for no language is answered in English', async () => {
    const { body } = await kit.server.app.inject({ url: '/signin' })
    expect(body).toContain('<html lang="en">')
    expect(body).toContain('<button>Sign in</button>')
  })
})
