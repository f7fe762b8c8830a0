/** What every screen shows something of, and the addresses of all screens. */
import type { Page } from 'playwright-core'
import type { Client } from '../../../src/client/client.ts'

interface Made {
  space: string
  page: string
  site: string
  team: string
  saml: string
  oidc: string
  collection: string
  /** Numbers of change requests. */
  request: number
  conflicting: number
  importRun: string
  translation: string
  /** Where the API says that a resource is shown, and what that screen is called. */
  urls: { what: string; url: string; title: string }[]
}

/** One of everything that a screen shows, made by the administrator. */
export async function makeEverything(admin: Client, organizationId: string): Promise<Made> {
  await admin.updateOrganizationById({ organizationId, body: { title: 'Example Ltd' } })
  const collection = await admin.createCollection({ organizationId, body: { title: 'Products' } })
  const space = await admin.createSpace({ organizationId, body: { title: 'Manual', parent: collection.id } })
  const spaceId = space.id
  const write = (markdown: string, of?: string) =>
    admin.updateSpaceContent({
      spaceId,
      body: {
        changes: [
          of === undefined
            ? { operation: 'insert_page', title: 'Install', document: { markdown } }
            : { operation: 'update_page', page: of, document: { markdown } },
        ],
      },
    })
  const made = await write('First words.\n\n{% hint style="info" %}\nMind the gap.\n{% endhint %}\n\n[gone](gone.md)')
  const [change] = made.changes
  const pageId = change?.object === 'created_page' ? change.page.id : ''
  const request = await admin.createChangeRequest({ spaceId, body: { subject: 'Better words' } })
  const edit = { operation: 'update_page', page: pageId, document: { markdown: 'Mine.' } } as const
  const at = { spaceId, changeRequestId: request.id }
  const shapes = await admin.updateSpaceContent({
    spaceId,
    body: {
      changes: [{ operation: 'insert_page', title: 'Shapes', document: { markdown: shapesWith('two', '3', 'b()') } }],
    },
  })
  const [inserted] = shapes.changes
  const shapesId = inserted?.object === 'created_page' ? inserted.page.id : ''
  await admin.updateChangeRequest(at)
  const reshape = {
    operation: 'update_page',
    page: shapesId,
    document: { markdown: shapesWith('2', '33', 'bee()') },
  } as const
  await admin.updateChangeRequestContent({ ...at, query: { compat: false }, body: { changes: [edit, reshape] } })
  await admin.postCommentInChangeRequest({ ...at, body: { body: { markdown: 'Why?' } } })
  const conflicting = await admin.createChangeRequest({ spaceId, body: { subject: 'Other words' } })
  const there = { spaceId, changeRequestId: conflicting.id }
  await admin.updateChangeRequestContent({ ...there, query: { compat: false }, body: { changes: [edit] } })
  await write('Theirs.', pageId)
  await admin.updateChangeRequest(there)
  const site = await admin.createSite({ organizationId, body: { title: 'Docs', spaces: [spaceId] } })
  const section = await admin.addSectionToSite({ organizationId, siteId: site.id, body: { spaceId, title: 'More' } })
  const group = { title: 'Rest', sections: [section.id] }
  await admin.addSectionGroupToSite({ organizationId, siteId: site.id, body: group })
  const redirect = { source: '/old', destination: { kind: 'path', path: '/' } } as const
  await admin.createSiteRedirect({ organizationId, siteId: site.id, body: redirect })
  await admin.publishSite({ organizationId, siteId: site.id })
  await admin.createOpenAPISpec({ organizationId, body: { slug: 'pets', source: { text: '{}' } } })
  const translation = await admin.createTranslation({
    organizationId,
    body: { source: { space: spaceId, language: 'en' }, language: 'de' },
  })
  await admin.updateTranslationsGlossary({
    organizationId,
    body: { entries: [{ term: 'space', translations: { de: 'Bereich' } }, { term: 'Lectern' }] },
  })
  const run = await admin.startImportRun({
    organizationId,
    body: { source: { type: 'zip', url: 'https://docs.example.org/manual.zip' }, target: { space: spaceId } },
  })
  const people = (await admin.listMembersInOrganizationById({ organizationId })).items.map(({ user }) => user.id)
  const team = await admin.createOrganizationTeam({ organizationId, body: { title: 'Writers', members: people } })
  await admin.createOrganizationInvite({ organizationId, body: { role: 'read' } })
  await admin.inviteToCollection({
    collectionId: collection.id,
    body: { role: 'edit', users: people, teams: [team.id] },
  })
  await admin.inviteToSpace({ spaceId, body: { role: 'review', users: people, teams: [team.id] } })
  await admin.inviteToSite({ organizationId, siteId: site.id, body: { role: 'create', users: people } })
  const saml = await admin.createOrganizationSAMLProvider({ organizationId, body: { label: 'Okta' } })
  const oidc = await admin.createOIDCProvider({ organizationId, body: { label: 'Keycloak' } })
  await admin.updateOrganizationById({ organizationId, body: { emailDomains: ['example.org'] } })
  const organization = await admin.getOrganizationById({ organizationId })
  const found = await admin.getPageById({ spaceId, pageId })
  const { items: revisions } = await admin.listRevisions({ spaceId })
  const resources = [
    ['organization', organization, 'Home'],
    ['collection', collection, 'Home'],
    ['space', space, 'Install'],
    ['page', found, 'Install'],
    ['revision', revisions[0], 'History'],
    ['change request', request, '#1 Better words'],
    ['site', site, 'Docs'],
  ] as const
  return {
    space: spaceId,
    page: pageId,
    site: site.id,
    team: team.id,
    saml: saml.id,
    oidc: oidc.id,
    collection: collection.id,
    request: request.number,
    conflicting: conflicting.number,
    importRun: run.id,
    translation: translation.id,
    urls: resources.map(([what, of, title]) => {
      const url = of?.urls && 'app' in of.urls ? String(of.urls.app) : ''
      return { what, url, title }
    }),
  }
}

const shapesWith = (item: string, cell: string, line: string): string =>
  [
    `* zero\n* one\n* ${item}\n* three\n* four`,
    `| Name | Value |\n| --- | --- |\n| far | 1 |\n| near | ${cell} |`,
    `\`\`\`js\nfirst()\na()\n${line}\nc()\n\`\`\``,
  ].join('\n\n')

/** The address of every screen. */
export function screensOf(made: Made, organization: string): string[] {
  const space = `/app/s/${made.space}`
  return [
    ...['/app', '/app/welcome', '/app/changes', '/app/sites', `/app/sites/${made.site}`, '/app/me', '/app/nowhere'],
    ...['structure', 'redirects', 'address', 'visitors', 'customization', 'insights', 'people'].map(
      (tab) => `/app/sites/${made.site}/${tab}`,
    ),
    `/app/o/${organization}/trash`,
    `/app/collections/${made.collection}/people`,
    ...['members', 'teams', 'audit', `teams/${made.team}`, 'settings'].map((part) => `/app/o/${organization}/${part}`),
    ...['', `/saml/${made.saml}`, `/oidc/${made.oidc}`].map((part) => `/app/o/${organization}/sign-in${part}`),
    ...['translations', `translations/${made.translation}`, 'glossary'].map((path) => `/app/o/${organization}/${path}`),
    ...['', '/pets'].map((path) => `/app/o/${organization}/openapi${path}`),
    ...['', '/new', `/${made.importRun}`].map((path) => `/app/o/${organization}/imports${path}`),
    ...[
      '',
      `/p/${made.page}`,
      '/c',
      '/files',
      '/links',
      '/history',
      '/settings',
      '/settings/people',
      '/git',
      '/pdf',
    ].map((path) => space + path),
    ...[
      `/c/${made.request}`,
      `/c/${made.request}/edit/p/${made.page}`,
      `/c/${made.request}/pdf?page=${made.page}`,
      `/c/${made.conflicting}/conflicts`,
    ].map((path) => space + path),
  ]
}

/** Opens a screen and waits until it shows what it has. */
export async function openScreen(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('main h1, .ui-crumbs [aria-current]').first().waitFor({ state: 'attached' })
  await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' })
  if (/\/p\//.test(address)) await page.locator('.ed-doc').waitFor()
}
