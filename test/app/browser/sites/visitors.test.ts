/** What a site knows of its visitors in the app: claims are declared and offered to conditions, and a token is tried. */
import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { launchChromium } from '../../../site/chromium.ts'
import { signIn } from '../people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let page: Page
let spaceId = ''

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Guide' } })).id
  browser = await launchChromium()
  page = (await signIn(browser, origin, kit.people.admin.token)).page
})
afterAll(() => browser?.close())

async function makeSite() {
  const body = { title: 'Docs', spaces: [spaceId] }
  const { id: siteId } = await kit.as.admin.createSite({ organizationId: kit.organization, body })
  const ids = { organizationId: kit.organization, siteId }
  const open = async () => {
    await page.goto(`${origin}/app/sites/${siteId}/visitors`)
    await page.getByRole('heading', { name: 'Claims' }).waitFor()
  }
  await open()
  const declared = async () => (await kit.as.admin.getSiteAdaptiveSchema(ids)).jsonSchema.properties
  return { ids, open, declared }
}

const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name })
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const add = () => page.getByRole('button', { name: 'Declare a claim' }).click()

test('claims are declared, changed, taken away and brought back', { timeout: 90_000 }, async () => {
  const { ids, declared } = await makeSite()
  await page.getByText('No claim is declared yet: conditions find whatever a token says.').waitFor()
  await add()
  await field('Name').fill('a plan')
  await field('What it means').fill('What they pay for')
  await dialog().getByRole('combobox', { name: 'Kind' }).selectOption('one of these values')
  await send('Declare a claim')
  await dialog().getByText('A name without quotes and blanks').waitFor()
  await field('Name').fill('plan')
  await send('Declare a claim')
  await dialog().getByText('At least one value').waitFor()
  await field('Values').fill('free\npro\n\npro')
  await send('Declare a claim')
  await page.getByRole('button', { name: 'visitor.claims.plan' }).getByText('free, pro').waitFor()
  const plan = { type: 'string', description: 'What they pay for', enum: ['free', 'pro'] }
  expect(await declared()).toEqual({ plan })
  await add()
  await field('Name').fill('language')
  await field('What it means').fill('What they read')
  await dialog().getByRole('checkbox', { name: 'Visitors say it themselves' }).check()
  await send('Declare a claim')
  const own = page.getByRole('button', { name: 'visitor.claims.unsigned.language' })
  await own.getByText('said by visitors themselves').waitFor()
  await own.click()
  await field('What it means').fill('Reads German')
  await send('Save')
  await own.getByText('Reads German').waitFor()
  const language = { type: 'boolean', description: 'Reads German' }
  const unsigned = { type: 'object', properties: { language } }
  expect(await declared()).toEqual({ plan, unsigned })
  await page.getByRole('button', { name: 'Actions for plan' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.poll(declared).toEqual({ unsigned })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(declared).toEqual({ plan, unsigned })
  const { items } = await kit.as.admin.listSiteAdaptiveTemplateConditions(ids)
  expect(items.map(({ condition }) => condition)).toContain('visitor.claims.plan == "pro"')
})

test('what no form has fields for is written as JSON, and refused with words', { timeout: 60_000 }, async () => {
  const { declared } = await makeSite()
  await page.getByRole('button', { name: 'As JSON…' }).click()
  await field('Schema').fill('{')
  await send('Save')
  await dialog().getByText('This is no JSON.').waitFor()
  await field('Schema').fill(
    '{"type": "object", "properties": {"a": {"type": "date", "description": "When"}}, "additionalProperties": false}',
  )
  await send('Save')
  await dialog().getByText('A claim is a boolean, string, number, array or object').waitFor()
  expect(await declared()).toEqual({})
  const team = {
    type: 'object',
    description: 'Their team',
    properties: { size: { type: 'number', description: 'People' } },
  }
  await field('Schema').fill(JSON.stringify({ type: 'object', properties: { team }, additionalProperties: false }))
  await send('Save')
  await page.getByRole('button', { name: 'visitor.claims.team' }).waitFor()
  expect(await declared()).toEqual({ team })
})

test('a token is tried, and adaptive content switched off', { timeout: 60_000 }, async () => {
  const { ids, open } = await makeSite()
  const properties = { plan: { type: 'string', description: 'Plan' } }
  const jsonSchema = { type: 'object', properties, additionalProperties: false }
  await kit.as.admin.updateSiteAdaptiveSchema({ ...ids, body: { jsonSchema } })
  const partners = await kit.as.admin.addSectionToSite({ ...ids, body: { spaceId, title: 'Partners' } })
  const body = { condition: 'visitor.claims.plan == "partner"' }
  await kit.as.admin.updateSiteSectionById({ ...ids, siteSectionId: partners.id, body })
  const { privateKey } = await kit.as.admin.getSitePublishingAuthById(ids)
  const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const seconds = Math.floor(kit.clock.now().getTime() / 1000)
  const signed = `${coded({ alg: 'HS256', typ: 'JWT' })}.${coded({ plan: 'pro', seats: 3, exp: seconds + 600 })}`
  const token = `${signed}.${createHmac('sha256', privateKey).update(signed).digest('base64url')}`
  await open()
  const check = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Token' }).fill(text)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
  }
  await check('nonsense')
  await page.getByText('The token is not accepted').waitFor()
  await check(token)
  await page.getByText('The token is accepted.').waitFor()
  await page.getByText('"plan": "pro"').waitFor()
  await page.getByText('Not found, as it is not declared or of another kind: seats').waitFor()
  await page.locator('.ui-claim .ui-row', { hasText: 'Partners' }).getByText('not shown').waitFor()
  await page.getByRole('checkbox', { name: 'Adaptive content' }).uncheck()
  await page.getByText('Adaptive content is off.').waitFor()
  expect((await kit.as.admin.getSiteById(ids)).adaptiveContent).toEqual({ enabled: false })
})
