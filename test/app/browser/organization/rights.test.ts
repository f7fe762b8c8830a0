/** Rights in the app: who has which role on a space, a collection and a site, where it comes from, and how it is changed. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { type Person, useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let lin: Person
let collectionId = ''
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  const organizationId = kit.organization
  await kit.as.admin.updateOrganizationById({ organizationId, body: { title: 'Example Ltd' } })
  lin = await kit.addPerson({ email: 'lin@rights.test', name: 'Lin Lovelace', role: null })
  await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: 'Writers', members: [lin.id] } })
  collectionId = (await kit.as.admin.createCollection({ organizationId, body: { title: 'Products' } })).id
  spaceId = (await kit.as.admin.createSpace({ organizationId, body: { title: 'Manual', parent: collectionId } })).id
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

const button = (name: string | RegExp, on = page) => on.getByRole('button', { name }).last()
const choose = async (menu: RegExp, item: RegExp, on = page): Promise<void> => {
  await button(menu, on).click()
  await on.getByRole('menuitem', { name: item }).click()
}
const usersOf = async () =>
  (await kit.as.admin.listUserPermissionsInSpace({ spaceId })).items.map(
    ({ user, permission }) => `${user.displayName} ${permission}`,
  )
const share = async (names: string[], role: string): Promise<void> => {
  await page.getByRole('button', { name: 'Share' }).first().click()
  const sharing = page.getByRole('dialog', { name: /^Share “/ })
  for (const name of names) {
    await sharing.getByRole('searchbox').fill(name)
    await sharing.getByRole('checkbox', { name }).check()
  }
  await sharing.getByRole('combobox', { name: 'Role' }).selectOption(role)
  await sharing.getByRole('button', { name: 'Share' }).click()
  await sharing.waitFor({ state: 'detached' })
}

test('a space is shared with people and teams, and it is seen what comes from its collection', {
  timeout: 90_000,
}, async () => {
  await page.goto(`${origin}/app`)
  await button('Actions for Products').click()
  await page.getByRole('menuitem', { name: 'People' }).click()
  await page.getByRole('heading', { name: 'People of “Products”' }).waitFor()
  await share(['Writers'], 'comment')
  await page.goto(`${origin}/app/s/${spaceId}/settings`)
  await page.getByRole('link', { name: 'People' }).click()
  const above = page.getByRole('region', { name: 'Also have rights here' })
  await above.getByRole('listitem').filter({ hasText: 'Writers' }).getByText('Commenter').waitFor()
  expect(await above.getByRole('button').count()).toBe(0)
  await page.getByText('Shared with nobody in particular.').first().waitFor()
  await share(['Lin Lovelace'], 'edit')
  await expect.poll(usersOf).toEqual(['Lin Lovelace edit'])
  await choose(/^Role of Lin Lovelace/, /^Reviewer/)
  await expect.poll(usersOf).toEqual(['Lin Lovelace review'])
  await choose(/^Role of Lin Lovelace/, /^Take away/)
  await expect.poll(usersOf).toEqual([])
  await button('Undo').click()
  await expect.poll(usersOf).toEqual(['Lin Lovelace review'])

  const level = async () => (await kit.as.admin.getSpaceById({ spaceId })).defaultLevel
  await choose(/^Role of All other members: As in the collection/, /^Nothing/)
  await expect.poll(level).toBe(null)
  await choose(/^Role of All other members: Nothing/, /^Reader/)
  await expect.poll(level).toBe('read')
})

test('a link invites to the space only', { timeout: 60_000 }, async () => {
  await page.goto(`${origin}/app/s/${spaceId}/settings/people`)
  await button('New invite link').click()
  const asking = page.getByRole('dialog', { name: 'New invite link' })
  await asking.getByRole('combobox', { name: 'Role' }).selectOption('comment')
  await asking.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Guests of the space “Manual”').waitFor()
  const { items } = await kit.as.admin.listOrganizationInviteLinks({ organizationId: kit.organization })
  expect(items.map(({ space, level }) => [space, level])).toEqual([[spaceId, 'comment']])
})

test('a site is shared by an admin, and whoever is none is not offered it', { timeout: 60_000 }, async () => {
  const organizationId = kit.organization
  const site = await kit.as.admin.createSite({ organizationId, body: { title: 'Docs', spaces: [spaceId] } })
  await page.goto(`${origin}/app/sites/${site.id}`)
  await page.getByRole('link', { name: 'People' }).click()
  await share(['Lin Lovelace', 'Writers'], 'create')
  const input = { organizationId, siteId: site.id }
  const given = async () => [
    ...(await kit.as.admin.listUserPermissionsInSite(input)).items.map(({ permission }) => permission),
    ...(await kit.as.admin.listTeamPermissionsInSite(input)).items.map(({ permission }) => permission),
  ]
  await expect.poll(given).toEqual(['create', 'create'])
  const reader = (await signIn(browser, origin, kit.people.create.token)).page
  await reader.goto(`${origin}/app/sites/${site.id}/people`)
  await reader.waitForURL(new RegExp(`/sites/${site.id}$`))
  expect(await reader.getByRole('link', { name: 'People' }).count()).toBe(0)
  await reader.goto(`${origin}/app/s/${spaceId}/settings/people`)
  await reader.waitForURL((url) => !url.pathname.includes('settings'))
  await reader.goto(`${origin}/app/collections/${collectionId}/people`)
  await reader.waitForURL(/\/app\/?$/)
  await reader.context().close()
})

test('a guest in charge of a space changes what is given there, and is asked before giving it up', {
  timeout: 60_000,
}, async () => {
  await kit.as.admin.updateUserPermissionInSpace({ spaceId, userId: lin.id, body: { role: 'admin' } })
  const guest = (await signIn(browser, origin, lin.token)).page
  await guest.goto(`${origin}/app/s/${spaceId}/settings/people`)
  await button(/^Role of Lin Lovelace/, guest).waitFor()
  expect(await guest.getByRole('button', { name: /^Share$|invite link/ }).count()).toBe(0)
  await choose(/^Role of Lin Lovelace/, /^Editor/, guest)
  const asked = guest.getByRole('dialog', { name: 'Give up your own rights?' })
  await asked.waitFor()
  expect(await usersOf()).toEqual(['Lin Lovelace admin'])
  await asked.getByRole('button', { name: 'Give up' }).click()
  await expect.poll(usersOf).toEqual(['Lin Lovelace edit'])
  await guest.waitForURL((url) => !url.pathname.includes('settings'))
  await guest.context().close()
})
