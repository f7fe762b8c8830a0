/**
 * Settings do what they say or are refused: every field of a customization is set to another value, and then either the
 * published site looks different, or the API said no, or the field stands below with its reason.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CustomizationShape } from '../../../src/core/customization/shape.ts'
import { actAs } from '../../../src/domain/act-as.ts'
import { noSteps } from '../../../src/domain/import/apply.ts'
import { importRepository } from '../../../src/domain/import/commit.ts'
import { bytesFile } from '../../../src/jobs/import/bytes-file.ts'
import { showGitSync } from '../../../src/store/git/sync.ts'
import { findUser } from '../../../src/store/people/users.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Json, type Kit, useKit } from '../../kit/server.ts'
import { type PublishedSite, publishedSite } from './site-kit.ts'

/** What changes nothing that a reader sees, and why it is taken all the same. */
const withoutEffect: Readonly<Record<string, string>> = {
  'advancedCustomization.enabled': 'Every feature is on, whatever the plan; clients send it back as they read it.',
  'openapi.tryIt': 'Seen on pages that show operations, which openapi.test.ts looks at.',
  'insights.trackingCookie': 'Allows a cookie. Visits are counted without one, so that nothing follows from it.',
}

/** Refused, with the reason in the answer. */
const refused = new Set(['ai.mode'])

type Schema = { type?: string; enum?: string[]; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }

/** The fields of the shape by dotted path; a list or a choice is one field, set as a whole. */
function leavesOf(schema: Schema, path = ''): [path: string, schema: Schema][] {
  if (!schema.properties) return [[path, schema]]
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  )
}

const printed = z.toJSONSchema(CustomizationShape, { unrepresentable: 'any' })
const shape: Schema = JSON.parse(JSON.stringify(printed)).$defs.Customization
const leaves = leavesOf(shape)
const link = { title: 'Elsewhere', to: { kind: 'url', url: 'https://elsewhere.example/' } }

/** Values for fields of which no other value can be guessed. */
const others: Readonly<Record<string, unknown>> = {
  title: 'Another title',
  'styling.font': 'Merriweather',
  'styling.headingFont': 'Lato',
  'styling.monospaceFont': 'SpaceMono',
  'favicon.emoji': '🚀',
  'header.links': [{ ...link, title: 'A menu', links: [link] }],
  'footer.groups': [{ title: 'More', links: [link] }],
  'footer.copyright': 'All of it',
  'announcement.message': 'Another message',
  'announcement.link.title': 'Another link',
  'announcement.link.to': { kind: 'url', url: 'https://other.example/' },
  'pageActions.items': ['mcp', 'external-ai', 'pdf'],
  socialAccounts: [{ platform: 'mastodon', handle: 'docs@example.social', display: { header: true, footer: false } }],
}

function otherThan(path: string, schema: Schema, present: unknown): unknown {
  if (path in others) return others[path]
  if (typeof present === 'boolean') return !present
  if (schema.type === 'boolean') return true
  if (schema.enum) return schema.enum.find((value) => value !== present)
  if (/[cC]olor\.(?:light|dark)$/.test(path)) return '#b00020'
  return 'https://pictures.example/another.png'
}

/** The customization with one field changed. What stands beside it and is required comes along. */
function withField(whole: object, path: string, value: unknown): object {
  const copy = structuredClone(whole)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let at: Record<string, unknown> = copy as Record<string, unknown>
  for (const name of names) {
    at[name] ??= {}
    at = at[name] as Record<string, unknown>
  }
  at[last] = value
  // Pictures and colours come in pairs.
  if ((last === 'light' || last === 'dark') && typeof value === 'string')
    at[last === 'light' ? 'dark' : 'light'] ??= value
  return copy
}

const markdown = [
  '## A heading',
  '',
  'Words with [a link](https://elsewhere.example/) and `code` and <i class="fa-rocket">:rocket:</i>.',
  '',
  ...['info', 'warning', 'danger', 'success'].flatMap((style) => [
    `{% hint style="${style}" %}`,
    'Note',
    '{% endhint %}',
    '',
  ]),
  '```js',
  'const answer = 42 // why',
  '```',
].join('\n')

/** What makes other fields visible: a colour of the head shows where the head has colours of its own. */
const base = {
  announcement: { enabled: true, message: 'News', style: 'info', link },
  header: {
    preset: 'custom',
    backgroundColor: pair('#112233'),
    linkColor: pair('#ffffff'),
    links: [{ ...link, links: [] }],
  },
  feedback: { enabled: true },
}
function pair(color: string) {
  return { light: color, dark: color }
}
// Seen only without what stands over it.
const alone: Readonly<Record<string, object>> = {
  'styling.theme': { header: { preset: 'default', links: [] } },
  'styling.tint.color.light': {},
}

/** Pages as they come from a repository, which the links to its editor need. */
async function importPages(kit: Kit, spaceId: string): Promise<void> {
  const user = await findUser(kit.db, { id: kit.people.admin.id })
  if (!user) throw new Error('There is no admin.')
  const base = actAs(kit, user, 'test')
  const files = ['First', 'Second'].map((title) =>
    bytesFile(`${title.toLowerCase()}.md`, Buffer.from(`# ${title}\n\n${markdown}`)),
  )
  await importRepository(base, { space: spaceId }, files, { remove: 'own', strict: false, steps: noSteps })
  const gitSync = { installationProvider: 'github', url: 'https://github.com/lectern/docs/blob/main' }
  await showGitSync(kit.db, { spaceId, gitSync: JSON.stringify(gitSync) })
}

eachBackend((backend) => {
  const kit = useKit(backend)
  let site: PublishedSite
  let whole: Record<string, unknown>

  beforeAll(async () => {
    site = await publishedSite(kit, [])
    await importPages(kit, site.spaceId)
    const { organizationId, siteId } = site
    whole = { ...(await kit.as.admin.getSiteCustomizationById({ organizationId, siteId })), ...base }
  })

  const put = (body: object) => {
    const { organizationId, siteId } = site
    return kit.call('admin', 'updateSiteCustomizationById', { organizationId, siteId, body })
  }
  const seen = async (): Promise<string> => {
    const page = (await site.ask('/first')).text
    const style = /href="[^"]*?(\/~assets\/[^"]+\.css)"/.exec(page)?.[1] ?? ''
    const icon = (await site.ask('/~icon.svg')).text
    return [page, (await site.ask(style)).text, icon].join('\n')
  }

  describe('every field of a customization', () => {
    for (const [path, schema] of leaves) {
      test(`${path} is seen, refused or explained`, async () => {
        const start = { ...whole, ...alone[path] }
        expect((await put(start)).status).toBe(200)
        const before = await seen()
        const present = path.split('.').reduce<unknown>((at, name) => (at as Json | undefined)?.[name], start)
        const answer = await put(withField(start, path, otherThan(path, schema, present)))
        expect([answer.status, answer.body.error?.details], path).toEqual(
          refused.has(path) ? [400, [expect.objectContaining({ field: path })]] : [200, undefined],
        )
        if (answer.status === 400) return
        expect((await seen()) !== before, path).toBe(!(path in withoutEffect))
      })
    }
  })

  test('there are as many as there are', () => {
    expect(leaves.length).toBeGreaterThan(60)
  })

  test('a menu is said by its items or by flags, and both agree', async () => {
    const menu = async (change: object) => {
      expect((await put({ ...whole, ...change })).status).toBe(200)
      const { organizationId, siteId } = site
      whole = { ...(await kit.as.admin.getSiteCustomizationById({ organizationId, siteId })) }
      const { pageActions, pdf } = whole as { pageActions: { items: string[] }; pdf: { enabled: boolean } }
      return [pageActions.items, pdf.enabled]
    }
    expect(await menu({ pdf: { enabled: true } })).toEqual([['markdown', 'pdf'], true])
    expect(await menu({ pageActions: { items: ['mcp', 'markdown'] } })).toEqual([['mcp', 'markdown'], false])
    expect(await menu({ pageActions: { externalAI: true, markdown: false } })).toEqual([['mcp', 'external-ai'], false])
    expect((await site.ask('/first')).text).toContain('https://chatgpt.com/?q=')
    expect(await menu({ pageActions: { items: [] } })).toEqual([[], false])
    expect((await site.ask('/first')).text).not.toContain('class="actions"')
  })

  test('addresses of the installation are stored without its host, and answered with it', async () => {
    const to = { kind: 'url', url: 'http://lectern.test/reference' }
    await put({ ...whole, header: { preset: 'default', links: [{ title: 'API', to }] } })
    const { organizationId, siteId } = site
    const { header } = await kit.as.admin.getSiteCustomizationById({ organizationId, siteId })
    expect(header.links).toEqual([{ title: 'API', to, links: [] }])
    expect((await site.ask('/first')).text).toContain('href="/reference"')
    expect(
      (
        await put({
          ...whole,
          header: { preset: 'default', links: [{ title: 'API', to: { kind: 'url', url: 'lectern:/x' } }] },
        })
      ).status,
    ).toBe(400)
  })

  test('pages of a repository can be edited where it is', async () => {
    expect((await put({ ...whole, pageActions: { items: ['git', 'markdown'] } })).status).toBe(200)
    const { text } = await site.ask('/first')
    expect(text).toMatch(
      /<a href="https:\/\/github.com\/lectern\/docs\/edit\/main\/first.md"[^>]*>.*?Edit on GitHub<\/a>/,
    )
  })
})
