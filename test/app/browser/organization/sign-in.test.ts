/** How people sign in to an organization, set up in the app: providers of both kinds, domains, and the only way in. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSession } from '../../../../src/domain/sessions/session.ts'
import { sqlite } from '../../../kit/backends.ts'
import { certificateOf } from '../../../kit/identity-provider.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../../kit/openid-provider.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
let browser: Browser
let origin = ''
let page: Page
let identities: OpenIdProvider

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  identities = await startOpenIdProvider((login) => ({ email: `${login}@proven.test` }))
  identities.register('http://lectern.test/unused')
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(async () => {
  await browser?.close()
  await identities?.close()
})

const open = (part: string, on = page) => on.goto(`${origin}/app/o/${kit.organization}/${part}`)
const button = (name: string | RegExp) => page.getByRole('button', { name }).last()
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const make = async (label: string, kind: string): Promise<void> => {
  await open('sign-in')
  await button('New provider').click()
  const asking = page.getByRole('dialog', { name: 'New provider' })
  await asking.getByRole('textbox').fill(label)
  await asking.getByRole('combobox', { name: 'It speaks' }).selectOption(kind)
  await asking.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: label }).waitFor()
}

test('a SAML provider is made from its metadata, and deleted with a question', { timeout: 60_000 }, async () => {
  const stored = async () =>
    (await kit.as.admin.listSAMLProvidersInOrganizationById({ organizationId: kit.organization })).items
  await make('Okta', 'saml')
  const [made] = await stored()
  for (const address of Object.values(made?.service ?? {})) await page.getByText(address, { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0)
  const certificate = certificateOf('one').replace(/-----[^-]+-----|\s/g, '')
  await field('Metadata').fill('nothing of it')
  await page.getByText('There is no provider in this.').waitFor()
  await field('Metadata').fill(
    `<EntityDescriptor entityID="https://id.test/entity"><IDPSSODescriptor><KeyDescriptor use="signing"><X509Certificate>${certificate}</X509Certificate></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://id.test/go"/></IDPSSODescriptor></EntityDescriptor>`,
  )
  await page.getByRole('combobox', { name: 'Role of newcomers' }).selectOption('comment')
  await button('Save').click()
  await page.getByRole('link', { name: 'Try it' }).waitFor()
  expect((await stored())[0]).toMatchObject({
    status: 'active',
    entityID: 'https://id.test/entity',
    ssoURL: 'https://id.test/go',
    defaultRole: 'comment',
  })
  await field('Certificate of the provider').fill('no certificate')
  await button('Save').click()
  await page
    .getByRole('alert')
    .getByText(/X\.509/)
    .waitFor()
  expect((await stored())[0]?.status).toBe('active')
  await button('Delete').click()
  await page.getByRole('dialog', { name: 'Delete “Okta”?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'People sign in with a password' }).waitFor()
  expect(await stored()).toEqual([])
})

test('a provider of OpenID Connect is asked whether it is one, and its secret is kept', {
  timeout: 60_000,
}, async () => {
  const stored = async () => (await kit.as.admin.listOIDCProviders({ organizationId: kit.organization })).items[0]
  await make('Keycloak', 'oidc')
  await field('Issuer').fill(`${origin}/nothing-there`)
  await button('Save').click()
  await page.getByRole('alert').waitFor()
  expect((await stored())?.issuer).toBe('')
  await field('Issuer').fill(identities.issuer)
  await field('Client id').fill(identities.clientID)
  await field('Client secret').fill(identities.clientSecret)
  await button('Save').click()
  await page.getByRole('link', { name: 'Try it' }).waitFor()
  expect(await field('Client secret').inputValue()).toBe('')
  await field('Name of the provider').fill('Our Keycloak')
  await button('Save').click()
  await page.getByRole('heading', { name: 'Our Keycloak' }).waitFor()
  expect(await stored()).toMatchObject({ label: 'Our Keycloak', status: 'active', hasClientSecret: true })

  // Whoever came another way is not offered to shut themselves out.
  await open('sign-in')
  await page.getByRole('link', { name: 'Sign in with Our Keycloak' }).waitFor()
  expect(await page.getByRole('button', { name: 'Make it the only way' }).count()).toBe(0)
})

test('a domain is added, looked for in vain, proven and removed', { timeout: 60_000 }, async () => {
  const domains = async () =>
    (await kit.as.admin.listEmailDomains({ organizationId: kit.organization })).items.map(
      ({ domain, verified }) => `${domain} ${verified}`,
    )
  await open('sign-in')
  await button('Add a domain').click()
  await page.getByRole('dialog').getByRole('textbox').fill('ada@Proven.Test')
  await page.keyboard.press('Enter')
  await expect.poll(domains).toEqual(['proven.test false'])
  const { items } = await kit.as.admin.listEmailDomains({ organizationId: kit.organization })
  await page.getByText(items[0]?.record.value ?? '-', { exact: true }).waitFor()
  kit.env.hostnames.resolveTxt = async () => []
  await button('Look for the record').click()
  await page
    .getByRole('alert')
    .getByText(/The record is not there yet/)
    .waitFor()
  kit.env.hostnames.resolveTxt = async () => [[items[0]?.record.value ?? '']]
  await button('Look for the record').click()
  await expect.poll(domains).toEqual(['proven.test true'])
  await page.getByText('proven', { exact: true }).waitFor()
  await button('Remove proven.test').click()
  await page.getByRole('dialog', { name: 'Remove proven.test' }).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(domains).toEqual([])
})

test('whoever came by single sign-on makes it the only way, and takes that back', { timeout: 60_000 }, async () => {
  const organizationId = kit.organization
  const [provider] = (await kit.as.admin.listOIDCProviders({ organizationId })).items
  const by = { db: kit.db, env: kit.env, now: kit.clock.now().toISOString() }
  const { secret } = await kit.db.transaction((tx) =>
    startSession(
      { ...by, db: tx },
      {
        userId: kit.people.admin.id,
        method: 'oidc',
        client: { address: '127.0.0.1', userAgent: 'test' },
        provider: { id: provider?.id ?? '', organizationId },
      },
    ),
  )
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await context.addCookies([{ name: 'lectern_session', value: secret, url: origin }])
  const admin = await context.newPage()
  await open('sign-in', admin)
  const isOnly = async () => (await kit.as.admin.getOrganizationById({ organizationId })).sso
  for (const [action, is] of [
    ['Make it the only way', true],
    ['Allow other ways', false],
  ] as const) {
    await admin.getByRole('button', { name: action }).click()
    expect(await isOnly()).toBe(!is)
    await admin.getByRole('dialog', { name: action }).getByRole('button', { name: action }).click()
    await expect.poll(isOnly).toBe(is)
  }
  await context.close()
})

test('whoever is no admin is led away', { timeout: 30_000 }, async () => {
  const reader = (await signIn(browser, origin, kit.people.create.token)).page
  await open('sign-in', reader)
  await reader.waitForURL(/\/settings$/)
  expect(await reader.getByRole('link', { name: 'Sign-in' }).count()).toBe(0)
  await reader.context().close()
})
