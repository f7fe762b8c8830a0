/** The sign-in pages in a real browser: two organizations with providers of their own, a password, an invitation, e-mail. */
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addDomain } from '../../src/domain/setup.ts'
import { jobKinds } from '../../src/jobs/index.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import { findUserByEmail } from '../../src/store/people/users.ts'
import { findViolations } from '../kit/axe.ts'
import { sqlite } from '../kit/backends.ts'
import { formOf } from '../kit/forms.ts'
import { certificateOf, type KeyName, startProvider } from '../kit/identity-provider.ts'
import { startLibraryProvider } from '../kit/library-identity-provider.ts'
import { startOpenIdProvider } from '../kit/openid-provider.ts'
import { useKit } from '../kit/server.ts'
import { launchChromium } from '../site/chromium.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const mailbox = await startMailbox()
const kit = useKit(sqlite, {
  settings: {
    LECTERN_URL: origin,
    LECTERN_SMTP_URL: mailbox.url,
    LECTERN_MAIL_FROM: 'Docs <docs@lectern.test>',
    LECTERN_ALLOW_PRIVATE_FETCH: '1',
  },
})
let browser: Browser

beforeAll(async () => {
  await kit.server.app.listen({ port, host: '127.0.0.1' })
  browser = await launchChromium()
  return async () => {
    await browser.close()
    mailbox.server.close()
  }
})

test('people of two organizations sign in, each at their own provider, and out', async () => {
  const cases: [KeyName, string, 'admin' | 'stranger', string][] = [
    ['one', kit.organization, 'admin', 'one.test'],
    ['two', kit.otherOrganization, 'stranger', 'two.test'],
  ]
  for (const [key, organizationId, admin, domain] of cases) {
    // One is a library of others that reads our metadata; the other names people by attributes.
    const idp =
      key === 'one'
        ? await startLibraryProvider(key)
        : await startProvider(key, { first_name: 'Grace', last_name: 'Hopper' })
    const made = await kit.as[admin].createOrganizationSAMLProvider({
      organizationId,
      body: {
        label: `Provider ${key}`,
        entityID: idp.entityId,
        ssoURL: idp.ssoUrl,
        certificate: certificateOf(key),
        defaultRole: 'edit',
      },
    })
    await addDomain(kit.db, { domain, organization: organizationId })
    const { context, page } = await open()
    await page.goto(`${origin}/signin?next=/account`)
    await checked(page, `signin-${key}`)
    await page.getByLabel('Email').fill(`grace@${domain}`)
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await page.getByLabel('Who are you?').fill(`grace@${domain}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${origin}/account`)
    expect(await page.getByText(`${key === 'one' ? 'grace' : 'Grace Hopper'} · grace@${domain}`).count()).toBe(1)
    const members = await kit.as[admin].listMembersInOrganizationById({
      organizationId,
      query: { search: `grace@${domain}` },
    })
    expect(members.items).toMatchObject([{ role: 'edit', sso: true }])
    // The pages themselves may not call anything; the app may.
    await page.route(`${origin}/host`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>host</title>' }),
    )
    await page.goto(`${origin}/host`)
    const calls = await page.evaluate(
      `Promise.all(['/v1/user', '/v1/orgs/${kit.organization}', '/v1/orgs/${kit.otherOrganization}'].map((path) => fetch(path).then((answer) => answer.status)))`,
    )
    expect(calls).toEqual(organizationId === kit.organization ? [200, 200, 404] : [200, 404, 200])
    await page.goto(`${origin}/account`)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(/signin\?message=out/)
    await idp.close()
    await context.close()
    expect(made.status).toBe('active')
  }
})

test('people sign in by OpenID Connect at a provider with pages of its own, and whom it may not name are refused', async () => {
  const idp = await startOpenIdProvider((login) => ({
    email: login,
    email_verified: true,
    given_name: 'Hedy',
    family_name: 'Lamarr',
  }))
  const made = await kit.as.admin.createOIDCProvider({
    organizationId: kit.organization,
    body: {
      label: 'Provider three',
      issuer: idp.issuer,
      clientID: idp.clientID,
      clientSecret: idp.clientSecret,
      defaultRole: 'review',
    },
  })
  idp.register(made.service.redirectURL)
  await addDomain(kit.db, { domain: 'three.test', organization: kit.organization })
  for (const [login, colorScheme] of [
    ['hedy@three.test', 'light'],
    ['hedy@elsewhere.test', 'dark'],
  ] as const) {
    const { context, page } = await open({ colorScheme, viewport: { width: 390, height: 844 } })
    await page.goto(`${origin}/signin?next=/account`)
    await page.getByLabel('Email').fill('hedy@three.test')
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    // Where there are two ways in, people choose; here the SAML provider of the test before is the other.
    const choice = page.getByRole('link', { name: 'Provider three' })
    await choice.or(page.locator('[name=login]')).first().waitFor()
    if (await choice.isVisible()) {
      await checked(page, `sso-choice-${colorScheme}`)
      await choice.click()
    }
    await page.locator('[name=login]').fill(login)
    await page.locator('[name=password]').fill('anything')
    await page.locator('[type=submit]').click()
    // The provider asks once whether we may be told who they are.
    await page.locator('[type=submit]').click()
    if (login === 'hedy@three.test') {
      await page.waitForURL(`${origin}/account`)
      expect(await page.getByText('Hedy Lamarr · hedy@three.test').count()).toBe(1)
      await page.route(`${origin}/host`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>host</title>' }),
      )
      await page.goto(`${origin}/host`)
      // Streams and files take the cookie from pages of ours, and from no others.
      const stream = `new Promise((resolve) => {
        const source = new EventSource('${origin}/v1/orgs/${kit.organization}/events', { withCredentials: true })
        source.onopen = () => { source.close(); resolve('open') }
        source.onerror = () => { source.close(); resolve('refused') }
      })`
      expect(await page.evaluate(stream)).toBe('open')
      const file = await kit.as.admin
        .createSpace({ organizationId: kit.organization, body: { title: 'Files' } })
        .then(({ id }) =>
          kit.as.admin.uploadFiles({ spaceId: id, body: formOf({ name: 'words.txt', bytes: 'a file of words' }) }),
        )
      expect(await page.evaluate(`fetch('${file.files[0]?.downloadURL}').then((answer) => answer.text())`)).toBe(
        'a file of words',
      )
      await page.goto(`${idp.issuer}/.well-known/openid-configuration`)
      expect(await page.evaluate(stream)).toBe('refused')
    } else {
      await page.getByRole('heading', { name: 'You were not signed in' }).waitFor()
      await checked(page, 'sso-refused')
    }
    await context.close()
  }
  const members = await kit.as.admin.listMembersInOrganizationById({
    organizationId: kit.organization,
    query: { search: 'hedy' },
  })
  expect(members.items).toMatchObject([{ role: 'review', sso: true, user: { email: 'hedy@three.test' } }])
  await idp.close()
})

test('somebody invited gets a letter, chooses a password, joins another organization by a link, and signs in again', async () => {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: jobKinds })
  await worker.start()
  await kit.as.admin.inviteUsersToOrganization({
    organizationId: kit.organization,
    body: { emails: ['henry@invited.test'] },
  })
  const letter = await mailbox.next()
  expect(letter).toContain('To: henry@invited.test')
  expect(letter).toContain('From: Docs <docs@lectern.test>')
  const link = linkIn(letter)
  const { context, page } = await open({ colorScheme: 'dark', viewport: { width: 360, height: 740 } })
  await page.goto(link)
  await checked(page, 'password')
  await page.getByLabel('New password').fill('one short')
  await page.getByLabel('Repeat password').fill('other')
  await page.evaluate('document.forms[0].noValidate = true')
  await page.getByRole('button', { name: 'Set password' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('at least 10 characters')
  await page.getByLabel('New password').fill('henry likes long walks')
  await page.getByLabel('Repeat password').fill('henry likes long walks')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL(`${origin}/app**`)
  await page.goto(link)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This link has ended')

  const invite = await kit.as.stranger.createOrganizationInvite({
    organizationId: kit.otherOrganization,
    body: { role: 'comment' },
  })
  await page.goto(invite.urls.join)
  await checked(page, 'join')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL(`${origin}/app**`)
  const found = await kit.as.stranger.listMembersInOrganizationById({
    organizationId: kit.otherOrganization,
    query: { search: 'henry' },
  })
  expect(found.items).toMatchObject([{ role: 'comment' }])

  await page.goto(`${origin}/account`)
  await checked(page, 'account')
  await page.goto(`${origin}/signout`)
  await checked(page, 'signout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email').fill('henry@invited.test')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await checked(page, 'wrong')
  expect(await page.getByRole('alert').textContent()).toContain('not right')
  await page.getByLabel('Password').fill('henry likes long walks')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${origin}/app**`)
  await context.close()
  await worker.stop({ milliseconds: 2000 })
})

test('somebody without an account follows the link of an invitation, and has one once a letter has reached them', async () => {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: jobKinds })
  await worker.start()
  const invite = await kit.as.stranger.createOrganizationInvite({
    organizationId: kit.otherOrganization,
    body: { role: 'edit' },
  })
  const { context, page } = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await page.goto(invite.urls.join)
  await checked(page, 'join-new')
  await page.getByLabel('Email').fill('mary@nowhere.test')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('status').waitFor()
  await checked(page, 'join-sent')
  const letter = await mailbox.next()
  expect(letter).toContain('To: mary@nowhere.test')
  expect(await findUserByEmail(kit.db, 'mary@nowhere.test')).toBeUndefined()
  const link = /http:\/\/\S+\/join\/\S+/.exec(letter)?.[0] ?? ''
  // Of another invitation, or altered, it opens nothing.
  expect((await page.goto(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`))?.status()).toBe(404)
  await page.goto(link)
  await checked(page, 'sign-up')
  await page.getByLabel('Name').fill('Mary Somerville')
  await page.getByLabel('New password').fill('mary likes long walks')
  await page.getByLabel('Repeat password').fill('mary likes long walks')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL(`${origin}/app**`)
  const found = await kit.as.stranger.listMembersInOrganizationById({
    organizationId: kit.otherOrganization,
    query: { search: 'mary' },
  })
  expect(found.items).toMatchObject([{ role: 'edit', user: { displayName: 'Mary Somerville' } }])
  // The letter makes one account: who follows it again is asked to sign in, or to join.
  await page.goto(link)
  await page.waitForURL(invite.urls.join)
  await context.close()
  await worker.stop({ milliseconds: 2000 })
})

test('a forgotten password is set anew by a letter, and who has no account gets none', async () => {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: jobKinds })
  await worker.start()
  // Without a script, as everything here.
  const { context, page } = await open({ javaScriptEnabled: false })
  for (const email of ['nobody@nowhere.test', 'read@lectern.test']) {
    await page.goto(`${origin}/signin`)
    await page.getByRole('link', { name: 'Forgotten your password?' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.waitForURL(/message=sent/)
    expect(await page.getByRole('status').textContent()).toContain('If there is an account')
  }
  const letter = await mailbox.next()
  expect(letter).toContain('To: read@lectern.test')
  await page.goto(linkIn(letter))
  await page.getByLabel('New password').fill('read likes short walks')
  await page.getByLabel('Repeat password').fill('read likes short walks')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL(`${origin}/app**`)
  expect(mailbox.waiting()).toBe(0)
  await context.close()
  await worker.stop({ milliseconds: 2000 })
})

async function open(
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext(options)
  return { context, page: await context.newPage() }
}

/** No fault that a tool can find, and nothing wider than the screen; SHOTS names a folder to look at them. */
async function checked(page: Page, name: string): Promise<void> {
  expect(await findViolations(page), name).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

const linkIn = (letter: string): string => /http:\/\/\S+\/signin\/password\/[\w-]{43}/.exec(letter)?.[0] ?? ''

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

/** A mail server that keeps what it is given. */
async function startMailbox() {
  const letters: string[] = []
  const waiting: ((letter: string) => void)[] = []
  const server: Server = createTcpServer((socket) => {
    let text = ''
    let isData = false
    socket.write('220 mailbox\r\n')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString()
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          const letter = line.replace(/=\r\n/g, '').replace(/=3D/g, '=')
          const next = waiting.shift()
          if (next) next(letter)
          else letters.push(letter)
          socket.write('250 kept\r\n')
        } else if (/^DATA/i.test(line)) {
          isData = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 fine\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    server,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => letters.length,
    next: (): Promise<string> => {
      const letter = letters.shift()
      return letter === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(letter)
    },
  }
}
