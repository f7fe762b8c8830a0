/** The pages of signing in speak the language that the browser asks for. */
import { describe, expect, test } from 'vitest'
import { textsIn } from '../../src/http/signin/texts/index.ts'
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
  expect(textsIn(accepted).language).toBe(language)
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

  test('who asks for no language is answered in English', async () => {
    const { body } = await kit.server.app.inject({ url: '/signin' })
    expect(body).toContain('<html lang="en">')
    expect(body).toContain('<button>Sign in</button>')
  })
})
