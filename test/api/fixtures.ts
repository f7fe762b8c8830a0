/**
 * Input with which each operation succeeds for an admin: the role matrix and the fuzz test start from it.
 *
 * A new row needs a maker for each parameter of its path (a fresh thing at every call, so that one call's effect never
 * decides another's) and, when its body is required, a body. Rows whose input hangs together otherwise stand in `whole`.
 */
import { Readable } from 'node:stream'
import type { Operation } from '../../src/contract/operation.ts'
import { paramsOf } from '../../src/contract/operation.ts'
import { defaultCustomization } from '../../src/core/customization/complete.ts'
import { recordFor } from '../../src/domain/sso/domains.ts'
import { insertVersion, updateSpec } from '../../src/store/content/openapi.ts'
import { formOf } from '../kit/forms.ts'
import type { Kit } from '../kit/server.ts'

export interface FixtureInput {
  params: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}

/** Nothing answers there, and no job asks. */
const repository = { url: 'https://git.example/docs.git', ref: 'main' }

type Params = Record<string, string>
type Maker = (kit: Kit, params: Params) => Promise<string> | string

let serial = 0
const fresh = (word: string): string => `${word}${++serial}`

/** Calls an operation by name as the admin, for a thing to work on; the id of what it made. */
const made = async (kit: Kit, name: string, input: Record<string, unknown>): Promise<string> => {
  const answer = await kit.call('admin', name, input)
  if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return String(answer.body.id)
}

const freshMember: Maker = async (kit) =>
  (await kit.addPerson({ email: `${fresh('fixture')}@lectern.test`, role: 'read' })).id

/** A member with whom the thing of the path is shared. */
async function sharedMember(kit: Kit, params: Params): Promise<string> {
  const userId = await freshMember(kit, params)
  await share(kit, params, { users: [userId] })
  return userId
}

/** By the name of the parameter; what stands left of it in the path is made already. */
const makers: Record<string, Maker> = {
  organizationId: (kit) => kit.organization,
  userId: (kit, params) => sharedMember(kit, params),
  user: (kit, params) => sharedMember(kit, params),
  teamId: (kit, { organizationId }) =>
    made(kit, 'createOrganizationTeam', { organizationId, body: { title: fresh('Team ') } }),
  inviteId: (kit, { organizationId }) =>
    made(kit, 'createOrganizationInvite', { organizationId, body: { role: 'edit' } }),
  specSlug: (kit) => filledSpec(kit),
  importRunId: (kit) => freshImport(kit),
  translationId: (kit) => freshTranslation(kit),
  entryId: async (kit) => (await freshGlossary(kit)) ?? 'none',
  versionId: async (kit, { organizationId = '', specSlug = '' }) =>
    (await kit.as.admin.getOpenAPISpecBySlug({ organizationId, specSlug })).lastVersion ?? 'none',
  published: async (kit) => {
    const params = { organizationId: kit.organization, specSlug: await filledSpec(kit) }
    return (await kit.as.admin.updateOpenAPISpecBySlug({ ...params, body: { visibility: 'public' } })).id
  },
  tokenId: () => 'none',
  sessionId: () => 'none',
  samlProviderId: (kit, { organizationId }) =>
    made(kit, 'createOrganizationSAMLProvider', { organizationId, body: { label: fresh('Provider ') } }),
  oidcProviderId: (kit, { organizationId }) =>
    made(kit, 'createOIDCProvider', { organizationId, body: { label: fresh('Provider ') } }),
  siteId: filledSite,
  siteSpaceId: async (kit, params) => {
    const { items } = await kit.as.admin.listSiteSpaces(siteOf(params))
    return items[0]?.id ?? 'none'
  },
  siteSectionId: async (kit, params) => {
    const section = await made(kit, 'addSectionToSite', {
      ...siteOf(params),
      body: { spaceId: await filledSpace(kit) },
    })
    const { siteSectionGroupId } = params
    if (siteSectionGroupId)
      await kit.as.admin.addSectionToGroup({ ...siteOf(params), siteSectionGroupId, body: { sectionId: section } })
    return section
  },
  siteSectionGroupId: (kit, params) =>
    made(kit, 'addSectionGroupToSite', { ...siteOf(params), body: { title: fresh('Group ') } }),
  shareLinkId: (kit, params) => made(kit, 'createSiteShareLink', { ...siteOf(params), body: { name: fresh('Link ') } }),
  redirectId: (kit, params) => made(kit, 'createSiteRedirect', { ...siteOf(params), body: redirect(fresh('/old')) }),
  hostname: async (kit) => {
    const hostname = `${fresh('docs')}.example.org`
    const siteId = await filledSite(kit)
    await kit.as.admin.updateSiteById({ organizationId: kit.organization, siteId, body: { hostname } })
    return hostname
  },
  emailDomain: () => 'lectern.test',
  subdomain: async (kit) => {
    await kit.as.admin.updateOrganizationById({ organizationId: kit.organization, body: { hostname: 'fixture' } })
    return 'fixture'
  },
  spaceId: filledSpace,
  pageId: async (kit, { spaceId }) => {
    const { pages } = await kit.as.admin.listPages({ spaceId: spaceId ?? '' })
    return pages[0]?.id ?? 'none'
  },
  pagePath: () => 'first-page',
  fileId: async (kit, { spaceId }) => {
    const { items } = await kit.as.admin.listFiles({ spaceId: spaceId ?? '' })
    return items[0]?.id ?? 'none'
  },
  revisionId: async (kit, { spaceId }) => (await kit.as.admin.getSpaceById({ spaceId: spaceId ?? '' })).revision,
  documentId: async (kit, { spaceId }) => {
    const { pages } = await kit.as.admin.listPages({ spaceId: spaceId ?? '' })
    const page = pages[0]
    return page && 'documentId' in page && typeof page.documentId === 'string' ? page.documentId : 'none'
  },
  // No operation makes one yet.
  reusableContentId: () => 'none',
  changeRequestId: async (kit, { spaceId }) => {
    const id = await made(kit, 'createChangeRequest', { spaceId, body: { subject: fresh('Change ') } })
    await kit.as.admin.updateChangeRequestContent({
      spaceId: spaceId ?? '',
      changeRequestId: id,
      body: { changes: [{ operation: 'insert_page', title: 'Proposed', document: { markdown: 'Proposed.' } }] },
    })
    return id
  },
  commentId: (kit, { spaceId, changeRequestId }) => {
    const body = { body: { markdown: 'A comment.' } }
    return changeRequestId === undefined
      ? made(kit, 'postCommentInSpace', { spaceId, body })
      : made(kit, 'postCommentInChangeRequest', { spaceId, changeRequestId, body })
  },
  commentReplyId: (kit, { spaceId, changeRequestId, commentId }) => {
    const body = { body: { markdown: 'A reply.' } }
    return changeRequestId === undefined
      ? made(kit, 'postCommentReplyInSpace', { spaceId, commentId, body })
      : made(kit, 'postCommentReplyInChangeRequest', { spaceId, changeRequestId, commentId, body })
  },
  collectionId: (kit) =>
    made(kit, 'createCollection', { organizationId: kit.organization, body: { title: fresh('Shelf ') } }),
  team: async (kit, params) => {
    const teamId = await made(kit, 'createOrganizationTeam', {
      organizationId: kit.organization,
      body: { title: fresh('Team ') },
    })
    await share(kit, params, { teams: [teamId] })
    return teamId
  },
}

/** The space that stands wherever one is needed, for tests that want another than a small new one each time. */
export const spaceInstead = new WeakMap<Kit['db'], () => Promise<string>>()

/** A space with a page and a file. */
async function filledSpace(kit: Kit): Promise<string> {
  return (await spaceInstead.get(kit.db)?.()) ?? smallSpace(kit)
}

async function smallSpace(kit: Kit): Promise<string> {
  const spaceId = await made(kit, 'createSpace', { organizationId: kit.organization, body: { title: fresh('Space ') } })
  await kit.as.admin.updateSpaceContent({
    spaceId,
    body: {
      changes: [
        { operation: 'insert_page', title: 'First page', document: { markdown: 'Words.' } },
        {
          operation: 'insert_files',
          files: [{ name: 'note.txt', contentType: 'text/plain', base64: Buffer.from('note').toString('base64') }],
        },
      ],
    },
  })
  return spaceId
}

const siteOf = ({ organizationId = '', siteId = '' }: Params) => ({ organizationId, siteId })

const redirect = (source: string) => ({ source, destination: { kind: 'path', path: '/new' } })

/** A published site with one space on it. */
async function filledSite(kit: Kit): Promise<string> {
  const organizationId = kit.organization
  const spaces = [await filledSpace(kit)]
  const siteId = await made(kit, 'createSite', { organizationId, body: { title: fresh('Site '), spaces } })
  await kit.as.admin.publishSite({ organizationId, siteId })
  return siteId
}

/** Shares the space, collection or site of a path, so that there is a grant to change or take away. */
async function share(
  kit: Kit,
  { spaceId, collectionId, organizationId, siteId }: Params,
  people: { users?: string[]; teams?: string[] },
) {
  if (spaceId) await kit.as.admin.inviteToSpace({ spaceId, body: { role: 'read', ...people } })
  if (collectionId) await kit.as.admin.inviteToCollection({ collectionId, body: { role: 'read', ...people } })
  if (organizationId && siteId)
    await kit.as.admin.inviteToSite({ organizationId, siteId, body: { role: 'read', ...people } })
}

/** By the name of the operation. */
async function freshTranslation(kit: Kit): Promise<string> {
  // A space is translated into a language once.
  const body = { source: { space: await smallSpace(kit), language: 'en' }, language: 'de' }
  return made(kit, 'createTranslation', { organizationId: kit.organization, body })
}

async function freshImport(kit: Kit): Promise<string> {
  const body = { source: newImport, target: { space: await filledSpace(kit) } }
  return made(kit, 'startImportRun', { organizationId: kit.organization, body })
}

/** Nobody fetches it: kits run no jobs. */
const newImport = { type: 'markdown', url: 'https://docs.example/page.md' }

async function freshGlossary(kit: Kit): Promise<string | undefined> {
  const organizationId = kit.organization
  const body = { entries: [{ term: fresh('Term ') }] }
  return (await kit.as.admin.updateTranslationsGlossary({ organizationId, body })).items[0]?.id
}

/** A spec as it is after its job has run. */
async function filledSpec(kit: Kit): Promise<string> {
  const slug = fresh('spec')
  const body = { slug, source: { text: '{}' } }
  const specId = await made(kit, 'createOpenAPISpec', { organizationId: kit.organization, body })
  const blob = await kit.env.blobs.put(Readable.from([Buffer.from('{}')]), { limit: 10 })
  const id = kit.env.newId()
  const files = { contentBlob: blob.hash, rootBlob: blob.hash, partsBlob: blob.hash }
  await insertVersion(kit.db, {
    id,
    specId,
    url: 'https://example.org',
    ...files,
    createdAt: kit.clock.now().toISOString(),
  })
  await updateSpec(kit.db, specId, { lastVersionId: id })
  return slug
}

const bodies: Record<string, unknown> = {
  createOrUpdateOpenAPISpecBySlug: { source: { text: 'openapi: 3.1.0' } },
  updateOpenAPISpecBySlug: { visibility: 'public' },
  updateTranslation: { instructions: { object: 'document', data: {}, nodes: [] } },
  updateTranslationsGlossary: { entries: [] },
  updateSiteAdaptiveSchema: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } },
  createSiteShareLink: { name: 'Fixture' },
  moveSiteSection: { position: {} },
  moveSiteSpace: { position: {} },
  moveSiteSectionGroup: { position: {} },
  addSectionGroupToSite: { title: 'Fixture' },
  updateSiteCustomizationById: defaultCustomization,
  overrideSiteSpaceCustomizationById: { pdf: { enabled: true } },
  createSiteRedirect: redirect('/fixture'),
  upsertSiteRedirects: { redirects: [redirect('/fixture')] },
  searchSiteContent: { query: 'words' },
  trackEventsInSiteById: { events: [{ type: 'page_view' }] },
  aggregateSiteEvents: { from: '2026-01-01', to: '2026-01-31' },
  updateOrganizationById: { ai: true },
  createOrganization: { title: 'Fixture' },
  inviteUsersToOrganization: { emails: ['invited@elsewhere.test'] },
  createOrganizationInvite: { role: 'read' },
  updateOrganizationInviteById: { role: 'read' },
  createOrganizationTeam: { title: 'Fixture' },
  updateTeamInOrganizationById: { title: 'Renamed' },
  updateSpacePresence: { page: 'somewhere' },
  updateChangeRequestPresence: { page: 'somewhere' },
  createApiToken: { label: 'Fixture' },
  updateAuthenticatedUser: { displayName: 'Renamed' },
  createOrganizationSAMLProvider: { label: 'Fixture' },
  updateOrganizationSAMLProvider: { label: 'Renamed' },
  createOIDCProvider: { label: 'Fixture' },
  updateOIDCProvider: { label: 'Renamed' },
  checkSiteVisitorToken: { token: 'none' },
  updatePassword: { password: 'a fixture of words', current: 'a fixture of words' },
  moveSpace: { parent: null },
  updateUserPermissionInSite: { role: 'edit' },
  updateTeamPermissionInSite: { role: 'edit' },
  updateUserPermissionInSpace: { role: 'edit' },
  updateTeamPermissionInSpace: { role: 'edit' },
  updateCollectionById: { title: 'Renamed' },
  moveCollection: { parent: null },
  updateUserPermissionInCollection: { role: 'edit' },
  updateTeamPermissionInCollection: { role: 'edit' },
  postCommentInSpace: { body: { markdown: 'Words.' } },
  updateCommentInSpace: { addedReactions: ['👍'] },
  postCommentReplyInSpace: { body: { markdown: 'Words.' } },
  updateCommentReplyInSpace: { addedReactions: ['👍'] },
  postCommentInChangeRequest: { body: { markdown: 'Words.' } },
  updateCommentInChangeRequest: { addedReactions: ['👍'] },
  postCommentReplyInChangeRequest: { body: { markdown: 'Words.' } },
  updateCommentReplyInChangeRequest: { addedReactions: ['👍'] },
  updateChangeRequestContent: {
    changes: [{ operation: 'insert_page', title: 'More', document: { markdown: 'More.' } }],
  },
  submitChangeRequestReview: { status: 'approved' },
  applyTemplateToSpace: { id: 'blank' },
  importContent: { source: 'markdown', url: 'https://docs.example/page.md' },
  importContentInChangeRequest: { source: 'markdown', url: 'https://docs.example/page.md' },
  importGitRepository: repository,
  exportToGitRepository: { ...repository, commitMessage: 'Words' },
  importUpload: formOf({ name: 'page.md', bytes: '# Page' }),
  importUploadInChangeRequest: formOf({ name: 'page.md', bytes: '# Page' }),
  uploadFiles: formOf({ name: 'more.txt', bytes: 'more' }),
  uploadFilesInChangeRequest: formOf({ name: 'more.txt', bytes: 'more' }),
  updateSpaceContent: { changes: [{ operation: 'insert_page', title: 'More', document: { markdown: 'More.' } }] },
}

/** Query parameters that an operation requires, by its name. */
const queries: Record<string, Record<string, unknown>> = {
  searchSpaceContent: { query: 'words' },
  streamOrganizationEvents: { follow: false },
  streamSpaceEvents: { follow: false },
  streamChangeRequestEvents: { follow: false },
  searchOrganizationContent: { query: 'words' },
}

/** Where the parts of an input hang together. */
const whole: Record<string, (kit: Kit) => Promise<FixtureInput>> = {
  verifyEmailDomain: async (kit) => {
    const of = { organizationId: kit.organization, domain: 'fixture.test' }
    await kit.as.admin.updateOrganizationById({ ...of, body: { emailDomains: [of.domain] } })
    kit.env.hostnames = { ...kit.env.hostnames, resolveTxt: async () => [[recordFor(kit.env, of).value]] }
    return { params: { organizationId: of.organizationId, emailDomain: of.domain } }
  },
  createSession: async (kit) => ({
    params: {},
    body: { token: kit.people.read.token },
    headers: { 'x-lectern-app': '1' },
  }),
  getSpaceGitInfo: async (kit) => {
    const params = { spaceId: await filledSpace(kit) }
    await kit.call('admin', 'importGitRepository', { ...params, body: repository })
    return { params }
  },
  startImportRun: async (kit) => ({
    params: { organizationId: kit.organization },
    body: { source: newImport, target: { space: await filledSpace(kit) } },
  }),
  createTranslation: async (kit) => ({
    params: { organizationId: kit.organization },
    body: { source: { space: await filledSpace(kit), language: 'en' }, language: 'fr' },
  }),
  createOpenAPISpec: async (kit) => ({
    params: { organizationId: kit.organization },
    body: { slug: fresh('spec'), source: { text: 'openapi: 3.1.0' } },
  }),

  addSectionToSite: async (kit) => ({ params: await siteParams(kit), body: { spaceId: await filledSpace(kit) } }),
  addSpaceToSite: async (kit) => ({ params: await siteParams(kit), body: { spaceId: await filledSpace(kit) } }),
  addSectionToGroup: async (kit) => {
    const params = await siteParams(kit)
    const siteSectionGroupId = await made(kit, 'addSectionGroupToSite', { ...params, body: { title: 'Group' } })
    const sectionId = await made(kit, 'addSectionToSite', { ...params, body: { spaceId: await filledSpace(kit) } })
    return { params: { ...params, siteSectionGroupId }, body: { sectionId } }
  },
  sortSiteStructure: async (kit) => {
    const params = await siteParams(kit)
    const id = await made(kit, 'addSectionGroupToSite', { ...params, body: { title: 'Group' } })
    return { params, body: { item: { type: 'site-section-group', id }, position: {} } }
  },
  inviteToSite: async (kit) => ({
    params: await siteParams(kit),
    body: { role: 'read', users: [await freshMember(kit, {})] },
  }),
  getSiteRedirectBySource: async (kit) => {
    const params = await siteParams(kit)
    await made(kit, 'createSiteRedirect', { ...params, body: redirect('/old') })
    return { params, query: { source: '/old' } }
  },
  setCustomHostname: async (kit) => ({
    params: { hostname: `${fresh('docs')}.example.org` },
    body: { site: await filledSite(kit) },
  }),
  resolvePublishedContentByUrl: async (kit) => {
    const site = await kit.as.admin.getSiteById(await siteParams(kit))
    return { params: {}, body: { url: site.urls.published } }
  },
  getPublishedContentByUrl: async (kit) => {
    const site = await kit.as.admin.getSiteById(await siteParams(kit))
    return { params: {}, query: { url: site.urls.published } }
  },
  getEmbedByUrlInSpace: async (kit) => ({
    // Nothing answers there: what is told is told by the address.
    params: { spaceId: await filledSpace(kit) },
    query: { url: 'http://127.0.0.1:1/' },
  }),
  getContentByUrl: async (kit) => ({
    params: {},
    query: { url: `http://lectern.test/s/${await filledSpace(kit)}` },
  }),
  // Into an organization of its own, or the stranger would be one of us from then on.
  joinOrganizationWithInvite: async (kit) => {
    const organizationId = await made(kit, 'createOrganization', { body: { title: fresh('Inviting ') } })
    return {
      params: { invite: await made(kit, 'createOrganizationInvite', { organizationId, body: { role: 'edit' } }) },
    }
  },
  inviteToSpace: async (kit) => ({
    params: { spaceId: await filledSpace(kit) },
    body: { role: 'read', users: [await freshMember(kit, {})] },
  }),
  inviteToCollection: async (kit) => ({
    params: { collectionId: await made(kit, 'createCollection', { organizationId: kit.organization }) },
    body: { role: 'read', users: [await freshMember(kit, {})] },
  }),
  requestReviewersForChangeRequest: async (kit) => {
    const spaceId = await filledSpace(kit)
    return {
      params: { spaceId, changeRequestId: await made(kit, 'createChangeRequest', { spaceId }) },
      body: { users: [await freshMember(kit, {})] },
    }
  },
  restoreSpace: async (kit) => {
    const spaceId = await filledSpace(kit)
    await kit.as.admin.deleteSpaceById({ spaceId })
    return { params: { spaceId } }
  },
  // Only someone who may create in both organizations transfers; the admin makes the other one.
  transferSpace: async (kit) => ({
    params: { spaceId: await filledSpace(kit) },
    body: { organization: await made(kit, 'createOrganization', { body: { title: fresh('Receiving ') } }) },
  }),
  transferCollection: async (kit) => ({
    params: { collectionId: await made(kit, 'createCollection', { organizationId: kit.organization }) },
    body: { organization: await made(kit, 'createOrganization', { body: { title: fresh('Receiving ') } }) },
  }),
  deleteMemberFromOrganizationTeamById: async (kit) => {
    const organizationId = kit.organization
    const userId = await freshMember(kit, {})
    const body = { title: fresh('Team '), members: [userId] }
    return {
      params: { organizationId, userId, teamId: await made(kit, 'createOrganizationTeam', { organizationId, body }) },
    }
  },
}

const siteParams = async (kit: Kit) => ({ organizationId: kit.organization, siteId: await filledSite(kit) })

export async function inputFor(kit: Kit, name: string, operation: Operation): Promise<FixtureInput> {
  const own = whole[name]
  if (own) return own(kit)
  const params: Params = {}
  for (const param of paramsOf(operation.path)) {
    const maker = makers[param]
    if (!maker) throw new Error(`${name} names {${param}}: say in test/api/fixtures.ts how to make one.`)
    params[param] = await maker(kit, params)
  }
  if (operation.fields.body && !(name in bodies) && !operation.fields.body.safeParse(undefined).success) {
    throw new Error(`${name} takes a body: give it one in test/api/fixtures.ts.`)
  }
  return { params, query: queries[name] ?? {}, body: bodies[name] }
}
