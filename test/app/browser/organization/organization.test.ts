/** The organization in the app: its people, their roles, the ways in and out, and teams, as an admin and as others meet them. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../../kit/axe.ts'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

const open = (part: string, on = page) => on.goto(`${origin}/app/o/${kit.organization}/${part}`)
const button = (name: string | RegExp, on = page) => on.getByRole('button', { name }).last()
const dialog = (name: string | RegExp, on = page) => on.getByRole('dialog', { name })
const choose = async (menu: RegExp, item: RegExp): Promise<void> => {
  await button(menu).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const memberOf = async (userId: string) =>
  kit.as.admin.getMemberInOrganizationById({ organizationId: kit.organization, userId }).catch(() => undefined)

test('members are found, given another role and taken back, and removed with a question', {
  timeout: 90_000,
}, async () => {
  const ann = await kit.addPerson({ email: 'ann@people.test', name: 'Ann Archer', role: 'read' })
  for (let n = 0; n < 60; n += 1)
    await kit.addPerson({ email: `crowd${n}@people.test`, name: `Crowd ${n}`, role: 'comment' })
  await open('members')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: '@' })
  await page.getByText(/^\d+ people$/).waitFor()
  await expect.poll(() => rows.count()).toBe(50)
  await button('Show more').click()
  await expect.poll(() => rows.count()).toBeGreaterThan(60)
  await page.getByRole('combobox', { name: 'Role' }).selectOption('read')
  await expect.poll(() => rows.filter({ hasText: 'Crowd' }).count()).toBe(0)
  await page.getByRole('searchbox', { name: 'Find by name or email' }).fill('archer')
  await expect.poll(() => rows.count()).toBe(1)
  await button(/Ann Archer/).click()
  await dialog('Ann Archer').waitFor()
  await choose(/^Role of Ann Archer/, /^Reviewer/)
  await expect.poll(async () => (await memberOf(ann.id))?.role).toBe('review')
  await button('Undo').click()
  await expect.poll(async () => (await memberOf(ann.id))?.role).toBe('read')
  await button('Require single sign-on').click()
  await dialog('Require single sign-on').getByRole('button', { name: 'Require single sign-on' }).click()
  await expect.poll(async () => (await memberOf(ann.id))?.sso).toBe(true)
  await button('Remove from the organization').click()
  const question = dialog('Remove Ann Archer?')
  await question.getByText(/Pages, change requests and comments stay/).waitFor()
  expect(await memberOf(ann.id)).toBeDefined()
  await question.getByRole('button', { name: 'Remove from the organization' }).click()
  await expect.poll(() => memberOf(ann.id)).toBeUndefined()
  await page.getByText('Nobody fits this search.').waitFor()
})

test('the only admin cannot go, and gives the role up only after another has it, when asked', {
  timeout: 60_000,
}, async () => {
  await open('members')
  await page.getByRole('searchbox').fill(kit.people.admin.email)
  await button(new RegExp(kit.people.admin.email)).click()
  await page.getByText('The only admin').waitFor()
  expect(await page.getByRole('button', { name: /^Role of/ }).count()).toBe(0)
  await open('settings')
  await button('Leave').click()
  await dialog('Leave this organization').getByRole('button', { name: 'Leave' }).click()
  await dialog('Leave this organization')
    .getByRole('alert')
    .getByText(/at least one admin/)
    .waitFor()
  expect(await memberOf(kit.people.admin.id)).toBeDefined()
})

test('invite links are made, given another role and end', { timeout: 60_000 }, async () => {
  const links = async () => (await kit.as.admin.listOrganizationInviteLinks({ organizationId: kit.organization })).items
  await open('members')
  await button('New invite link').click()
  await dialog('New invite link').getByRole('combobox', { name: 'Role' }).selectOption('comment')
  await dialog('New invite link').getByRole('button', { name: 'Create' }).click()
  await expect.poll(async () => (await links()).map(({ role }) => role)).toEqual(['comment'])
  await choose(/^Role of New members/, /^Guest/)
  await expect.poll(async () => (await links()).map(({ role }) => role)).toEqual([null])
  const copied = button(/^Copy the link: New members, Guest/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copied.click()
  const [link] = await links()
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(link?.urls.join)
  await button(/^Delete the link/).click()
  await dialog('Delete this link?').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await links()).length).toBe(0)
})

test('a team is made, filled, led by somebody, renamed and deleted', { timeout: 90_000 }, async () => {
  const organizationId = kit.organization
  const teams = async () => (await kit.as.admin.listTeamsInOrganizationById({ organizationId })).items
  const people = async () => {
    const [team] = await teams()
    const { items } = await kit.as.admin.listTeamMembersInOrganizationById({ organizationId, teamId: team?.id ?? '' })
    return items.map((item) => `${item.organization.user.displayName} ${item.team.role}`).sort()
  }
  const lin = await kit.addPerson({ email: 'lin@teams.test', name: 'Lin Lovelace', role: 'edit' })
  await kit.addPerson({ email: 'joe@teams.test', name: 'Joe Jones', role: null })
  await open('teams')
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
  await button('New team').click()
  await page.keyboard.type('Writers')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Writers' }).waitFor()
  await button('Add people').click()
  const adding = dialog('Add people')
  for (const name of ['Lin Lovelace', 'Joe Jones']) {
    await adding.getByRole('searchbox').fill(name)
    await adding.getByRole('checkbox', { name }).check()
  }
  await adding.getByText('2 chosen').waitFor()
  await adding.getByRole('button', { name: 'Add to the team' }).click()
  await expect.poll(people).toEqual(['Joe Jones member', 'Lin Lovelace member'])
  await choose(/^Role of Lin Lovelace/, /^Owner/)
  await expect.poll(people).toEqual(['Joe Jones member', 'Lin Lovelace owner'])
  await choose(/^Role of Joe Jones/, /^Take out of the team/)
  await expect.poll(people).toEqual(['Lin Lovelace owner'])
  // The row that had the focus is gone: keys go on in the list.
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('ui-list')
  await button('Undo').click()
  await expect.poll(people).toEqual(['Joe Jones member', 'Lin Lovelace owner'])

  // An owner who is no admin looks after the people; making and deleting teams is not offered.
  const owner = (await signIn(browser, origin, lin.token)).page
  await open('teams', owner)
  await owner.getByRole('link', { name: /Writers/ }).click()
  await button('Add people', owner).waitFor()
  expect(await owner.getByRole('button', { name: /New team|Delete the team/ }).count()).toBe(0)
  await owner.context().close()

  await button('Rename').click()
  await dialog('Rename').getByRole('textbox').fill('Authors')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Authors' }).waitFor()
  await button('Delete the team').click()
  await dialog('Delete the team “Authors”?').getByRole('button', { name: 'Delete the team' }).click()
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
  expect(await teams()).toEqual([])
})

test('what opens above these screens is fit for screen readers and small phones', { timeout: 60_000 }, async () => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [part, name] of [
    ['members', 'Invite people'],
    ['members', 'New invite link'],
    ['members', new RegExp(kit.people.admin.email)],
    ['settings', 'Leave'],
  ] as const) {
    await open(part)
    await button(name).click()
    await page.getByRole('dialog').waitFor()
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    expect(await findViolations(page), String(name)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), String(name)).toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('whoever is no admin finds what they may see, and the way out', { timeout: 60_000 }, async () => {
  const reader = (await signIn(browser, origin, kit.people.read.token)).page
  await open('members', reader)
  await reader.getByText(/^\d+ people$/).waitFor()
  expect(await reader.getByRole('button', { name: /Invite|invite link/ }).count()).toBe(0)
  await button(new RegExp(kit.people.admin.email), reader).click()
  await reader.getByRole('dialog').getByText('In no team.').waitFor()
  expect(
    await reader
      .getByRole('dialog')
      .getByRole('button', { name: /Role|Remove|Require/ })
      .count(),
  ).toBe(0)
  await reader.context().close()

  const parting = await kit.addPerson({ email: 'guest@leaving.test', name: 'Parting Guest', role: null })
  const guest = (await signIn(browser, origin, parting.token)).page
  await open('members', guest)
  await guest.waitForURL(/\/settings$/)
  expect(await guest.getByRole('link', { name: 'Members' }).count()).toBe(0)
  expect(await guest.getByRole('textbox').count()).toBe(0)
  await button('Leave', guest).click()
  await dialog('Leave this organization', guest).getByRole('button', { name: 'Leave' }).click()
  await expect.poll(() => memberOf(parting.id)).toBeUndefined()
  await guest.waitForURL(/\/welcome$/)
  await guest.context().close()
})
