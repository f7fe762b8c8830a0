/** The contract against its sources: the tables of the specification, the public names and codes, and a referee of OpenAPI. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { operations } from '../src/contract/index.ts'
import { type Operation, successOf } from '../src/contract/operation.ts'
import { handlers } from '../src/domain/index.ts'
import { type ApiDocument, apiPage, fieldsOf } from '../src/http/openapi/api-page.ts'
import { openApiDocument } from '../src/http/openapi/openapi.ts'
import { version } from '../src/platform/version.ts'
import { named, specified } from './contract-facts.ts'
import { inputs } from './contract-inputs.ts'

/** Operations of the specification that are still to be built. It only ever gets shorter. */
// biome-ignore format: a list reads best as one.
const pending: string[] = []

/** Rows beyond the specification without a public name, by what they are for. */
// biome-ignore format: a table reads best as one.
const own: Record<string, string> = {
  startImportRun:                   'An import that nobody waits for.',
  listImportRuns:                   'How imports stand.',
  getImportRun:                     'The target of a run’s urls.location.',
  cancelImportRun:                  'How one is called off.',
  runTranslation:                   'A run by hand, beside those that merges cause.',
  listTranslationsGlossary:         'The words that all translations keep to.',
  updateTranslationsGlossary:       'How they are set.',
  getTranslationsGlossaryEntry:     'The target of an entry’s urls.location.',
  getOrganizationInviteById:        'The target of a link invite’s urls.location.',
  joinOrganizationWithInvite:       'What a link invite is for.',
  updateAuthenticatedUser:          'How people say what they are called.',
  createApiToken:                   'How callers get a token.',
  listApiTokens:                    'How callers see their tokens.',
  deleteApiToken:                   'How callers revoke a token.',
  createSession:                    'How people sign in.',
  deleteCurrentSession:             'How people sign out.',
  listSessions:                     'Where somebody is signed in.',
  deleteSession:                    'How one of them is ended.',
  deleteAllSessions:                'How all of them are ended.',
  updatePassword:                   'How a password is changed.',
  listEmailDomains:                 'Which domains single sign-on may reach, and how to prove them.',
  verifyEmailDomain:                'How one is proven.',
  listOIDCProviders:                'Single sign-on by OpenID Connect, a second kind of provider.',
  createOIDCProvider:               'How one is set up.',
  getOIDCProvider:                  'The target of its urls.location.',
  updateOIDCProvider:               'How it is changed.',
  deleteOIDCProvider:               'How it is taken away, with its sessions.',
  checkSiteVisitorToken:            'What a visitor’s token admits to.',
  updateSpaceContent:               'Edits of a live space, without a change request.',
  uploadFilesInChangeRequest:       'Files of a change request.',
  getRevisionChanges:               'What a revision changed, as GET CR/changes tells of a change request.',
  listOrganizationAuditEvents:      'Who did what, when.',
  listOrganizationAuditEventActions: 'What there is to filter by.',
  streamOrganizationEvents:         'What happens, as it happens.',
  streamSpaceEvents:                'The same of a space.',
  streamChangeRequestEvents:        'The same of a change request.',
  updateSpacePresence:              'Who is looking at which page.',
  updateChangeRequestPresence:      'The same in a change request.',
  importUpload:                     'An import of what is sent along: not everything has an address.',
  importUploadInChangeRequest:      'The same into a change request.',
  exportContent:                    'The whole content at once: read page by page it lacks what only files say.',
  exportContentInChangeRequest:     'The same of a change request.',
  uploadFiles:                      'Files of any size, as they are: JSON has room for small ones only.',
  listRevisions:                    'The history of a space, for whoever looks back.',
  listRevisionsOfChangeRequest:     'The same of a change request.',
  getLatestOpenAPISpecVersionContentRaw: 'The document itself, as a tool takes it.',
  getPublishedOpenAPISpec:          'The target of a public spec’s urls.published.',
  listTemplates:                    'What can be given to `content/template`.',
  listReusableContents:             'The reusable contents of a revision, one by one.',
  getReusableContentById:           'The same, by id.',
  listReusableContentsInRevision:   'The same, in the past.',
  getReusableContentInRevision:     'The same by id, in the past.',
  getReusableContentDocument:       'What a block that includes it shows.',
  getReusableContentDocumentInRevision: 'The same, in the past.',
  getPageDocument:                  'A document alone, as renderers ask for it.',
  getPageDocumentInRevision:        'The same, in the past.',
  getPageDocumentInChangeRequest:   'The same, in a change request.',
  getPageMetaLinks:                 'The page in other languages, for the head of a rendered page.',
  getPageMetaLinksInRevision:       'The same, in the past.',
  getPageMetaLinksInChangeRequest:  'The same, in a change request.',
  getEmbedByUrlInSpace:             'What a link to elsewhere shows.',
  getPublishedContentByUrl:         'The older form of resolving an address.',
  listSiteIntegrationScripts:       'Renderers ask for them; there are none.',
  listChildPages:                   'A tree level by level: what a site of ten thousand pages shows of it.',
  listPageOpenAPISpecs:             'What a page shows of specs, for whoever may read the page.',
  getPageTrail:                     'Where a page stands, without reading the tree.',
  getPageTrailByPath:               'The same, by path.',
  getDocumentById:                  'The target of a page’s documentId.',
  getPageInRevisionByPath:          'Readers know paths, also in the past.',
  listFilesInRevisionById:          'Files of the past.',
  getFileInRevisionById:            'A file of the past.',
  removeUserFromSpace:              'Stands beside the PATCH of a permission.',
  updateTeamPermissionInSpace:      'The teams’ twin.',
  removeTeamFromSpace:              'The teams’ twin.',
  inviteToCollection:               'Collections are shared like spaces.',
  listUserPermissionsInCollection:  'Collections are shared like spaces.',
  updateUserPermissionInCollection: 'Collections are shared like spaces.',
  removeUserFromCollection:         'Collections are shared like spaces.',
  listTeamPermissionsInCollection:  'Collections are shared like spaces.',
  updateTeamPermissionInCollection: 'Collections are shared like spaces.',
  removeTeamFromCollection:         'Collections are shared like spaces.',
  getSiteSpaceCustomizationById:    'What a space of a site looks like.',
  overrideSiteSpaceCustomizationById: 'How it comes to look different from the site.',
  deleteSiteSpaceCustomizationById: 'And the same again.',
  listSiteRedirects:                'Stands beside the POST of a redirect.',
  upsertSiteRedirects:              'Many redirects at once, from a list of old addresses.',
  updateSiteRedirectById:           'Stands beside the POST of a redirect.',
  deleteSiteRedirectById:           'Stands beside the POST of a redirect.',
  regenerateSitePublishingAuthById: 'A new key for visitors, when the old one is known to others.',
  getSitePublishingPreviewById:     'Reading a site before it is published.',
  inviteToSite:                     'Sites are shared like spaces.',
  listUserPermissionsInSite:        'Sites are shared like spaces.',
  updateUserPermissionInSite:       'Sites are shared like spaces.',
  removeUserFromSite:               'Sites are shared like spaces.',
  listTeamPermissionsInSite:        'Sites are shared like spaces.',
  updateTeamPermissionInSite:       'Sites are shared like spaces.',
  removeTeamFromSite:               'Sites are shared like spaces.',
  searchSiteContent:                'What readers search with.',
  aggregateSiteEvents:              'What was counted, by page and day.',
  getCustomHostname:                'Whose host name it is.',
  setCustomHostname:                'Gives a site a host name of its own.',
  removeCustomHostname:             'And takes it away.',
}

/** What the specification calls deprecated, and the older form of `POST /v1/urls/published`. */
const deprecated = ['moveSiteSectionGroup', 'getPublishedContentByUrl']

const root = new URL('..', import.meta.url)
const rows = new Map<string, Operation>(operations)
const keyOf = (method: string, path: string): string => `${method} ${expand(path)}`
const nameByKey = new Map(operations.map(([name, row]) => [keyOf(row.method, row.path), name as string]))

describe('the specification', () => {
  test('has all its operations', () => {
    expect(specified).toHaveLength(139)
  })

  test('is served, but for what is pending', () => {
    const missing = specified.filter(([method, path]) => !nameByKey.has(keyOf(method, path))).map(([, , name]) => name)
    expect(missing.sort()).toEqual([...pending].sort())
  })

  test('pending operations do not exist yet', () => {
    expect(pending.filter((name) => rows.has(name))).toEqual([])
    expect(pending.filter((name) => !specified.some(([, , known]) => known === name))).toEqual([])
  })

  test('is all that is served, but for what is named as beyond it', () => {
    const inSpec = new Set(specified.map(([method, path]) => keyOf(method, path)))
    const beyond = operations.filter(([, row]) => !inSpec.has(keyOf(row.method, row.path)))
    const known = new Map(named.map(([method, path, name]) => [name, keyOf(method, path)]))
    const wrong = beyond.filter(([name, row]) => known.get(name) !== keyOf(row.method, row.path) && !(name in own))
    expect(wrong.map(([name, row]) => `${name}: ${row.method} ${row.path}`)).toEqual([])
    expect(Object.keys(own).filter((name) => !rows.has(name))).toEqual([])
  })

  test('marks what is deprecated', () => {
    expect(operations.filter(([, row]) => row.fields.deprecated).map(([name]) => name)).toEqual(deprecated)
  })
})

describe('parameters and bodies', () => {
  const document = openApiDocument({ url: 'http://localhost:4000', version }) as unknown as ApiDocument
  for (const [name, [query, body]] of Object.entries(inputs)) {
    const row = rows.get(name)
    if (row === undefined) continue
    test(`${name} takes what the specification names`, () => {
      const parameters = Object.keys(row.fields.query ?? {})
      expect(words(query).filter((parameter) => !parameters.includes(parameter))).toEqual([])
      const fields = fieldsOf(document, bodySchemaOf(document, name))
      expect(words(body).filter((field) => !fields.has(field))).toEqual([])
    })
  }
})

describe('names and success codes', () => {
  for (const [method, path, operationId, success] of [...specified, ...named]) {
    const name = nameByKey.get(keyOf(method, path))
    if (name === undefined) continue
    test(`${method} ${path} is ${operationId}`, () => {
      expect(name).toBe(operationId)
      const { status } = successOf(rows.get(name)?.fields ?? {})
      // The specification answers 204 to every DELETE, deleted or absent.
      const allowed = method === 'DELETE' ? [204] : success.split(', ').map(Number)
      expect(allowed).toContain(status)
    })
  }

  test('a body that may be empty may be absent', () => {
    const strict = operations.filter(
      ([, { fields }]) => fields.body?.safeParse({}).success && !fields.body.safeParse(undefined).success,
    )
    expect(strict.map(([name]) => name)).toEqual([])
  })

  test('every row has its handler and every handler its row', () => {
    const originals = operations.filter(([, row]) => row.twinOf === undefined).map(([name]) => name as string)
    expect(Object.keys(handlers).sort()).toEqual(originals.sort())
  })
})

describe('the OpenAPI document', () => {
  const document = openApiDocument({ url: 'http://localhost:4000', version })
  const file = fileURLToPath(new URL('docs/openapi.json', root))

  test('is the one checked in (npm run openapi writes it)', () => {
    const same = readFileSync(file, 'utf8') === `${JSON.stringify(document, null, 2)}\n`
    expect(same, 'docs/openapi.json is not what the contract says now: run `npm run openapi`.').toBe(true)
  })

  test('is told in words in docs/api.md (npm run openapi writes it)', () => {
    const same = readFileSync(new URL('docs/api.md', root), 'utf8') === apiPage(document as unknown as ApiDocument)
    expect(same, 'docs/api.md is not what the contract says now: run `npm run openapi`.').toBe(true)
  })

  test('names every operation once', () => {
    const paths = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
    const ids = paths.flatMap((item) => Object.values(item).map((operation) => operation.operationId))
    expect(ids.sort()).toEqual(operations.map(([name]) => name as string).sort())
  })

  test('points at nothing that is not there', () => {
    const { schemas } = document.components as { schemas: Record<string, unknown> }
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      (match) => match[1],
    )
    expect(refs.filter((name) => name === undefined || !(name in schemas))).toEqual([])
  })

  test('is valid by a referee', () => {
    const lint = spawnSync(
      process.execPath,
      [
        fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root)),
        'lint',
        '--extends=spec',
        '--format=stylish',
        file,
      ],
      { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    )
    expect(lint.status, `${lint.stdout}\n${lint.stderr}`).toBe(0)
  })
})

/** `S/comments` as the contract writes it. */
function expand(path: string): string {
  const shorthands: Record<string, string> = {
    S: '/v1/spaces/{spaceId}',
    CR: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}',
    O: '/v1/orgs/{organizationId}',
    SITE: '/v1/orgs/{organizationId}/sites/{siteId}',
  }
  const [first = '', ...rest] = path.split('/')
  return [shorthands[first] ?? first, ...rest].join('/')
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

function bodySchemaOf(document: ApiDocument, name: string) {
  const described = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find((operation) => operation.operationId === name)
  return described?.requestBody?.content?.['application/json']?.schema
}
