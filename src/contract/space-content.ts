import { z } from 'zod'
import { ContentLocation, LinkList, LinksQuery } from './links.ts'
import { GET, POST, twin } from './operation.ts'
import { ContentRef, Cover, File, JSONDocument, Layout, Page, ReusableContent, Revision } from './pages.ts'
import { SearchPage, SearchQuery } from './search.ts'
import { Emoji, Flag, Id, List, P, S } from './shapes.ts'

const Computed = {
  metadata: z.boolean().default(true).describe('false leaves out git metadata.'),
  computed: z.boolean().default(true).describe('false skips computing content.'),
}
const PageQuery = {
  ...Computed,
  format: z.enum(['markdown', 'document']).default('markdown'),
  evaluated: z
    .union([z.boolean(), z.literal('deterministic-only')])
    .default(false)
    .describe('Works out expressions; `deterministic-only` leaves what depends on the reader as it is written.'),
  dereferenced: z.union([z.boolean(), z.literal('reusable-contents')]).default(false),
  'format.markdown.refs': z.enum(['relative', 'stable']).default('relative'),
  pages: z.boolean().default(true).describe('false leaves out the pages below.'),
}
const FilesQuery = { ...P, ...Computed }
const Pages = z.object({ pages: z.array(Page) })

const Body = z.union([
  z.object({ markdown: z.string().max(1024 * 1024, 'a page holds at most 1 MiB of Markdown') }),
  z.object({ document: JSONDocument }),
  z.strictObject({}),
])

const At = z.number().int().min(0).max(100_000)
const Ref = z.string().min(1).max(100)

const PageMetadata = {
  title: z.string().min(1).max(500).optional(),
  slug: z.string().max(100).optional(),
  emoji: z.union([z.literal(''), Emoji]).optional(),
  icon: z.string().max(50).optional(),
  description: z.string().max(1000).optional(),
  linkTitle: z.string().max(100).optional(),
  hidden: Flag.optional(),
  noIndex: Flag.optional(),
  noRobotsIndex: Flag.optional(),
  condition: z.string().max(1024).optional(),
  layout: Layout.partial().optional(),
  cover: Cover.extend({ yPos: z.number().default(0) })
    .nullable()
    .optional(),
  variables: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/), z.string().max(256)).optional(),
}

const NewFile = z
  .object({
    name: z.string().min(1).max(256),
    ref: Ref.optional(),
    contentType: z.string().max(255).optional(),
    url: z.string().max(2048).optional(),
    base64: z.string().max(1_400_000).optional(),
  })
  .refine((file) => (file.url === undefined) !== (file.base64 === undefined), {
    message: 'needs exactly one of `url` and `base64`',
  })
  .refine((file) => file.base64 === undefined || file.contentType !== undefined, {
    message: '`base64` needs `contentType`',
  })

/** The kinds of change that a batch may hold, told apart by `operation`. */
export const ContentChange = z
  .discriminatedUnion('operation', [
    z.object({
      operation: z.literal('insert_page'),
      document: Body,
      into: Id.optional(),
      at: At.optional(),
      ref: Ref.optional(),
      type: z.enum(['document', 'group', 'link']).optional(),
      target: ContentRef.optional().describe('Where a page of type `link` points.'),
      ...PageMetadata,
    }),
    z.object({
      operation: z.literal('update_page'),
      page: Id,
      document: Body.optional(),
      into: Id.nullable().optional(),
      at: At.optional(),
      target: ContentRef.optional(),
      ...PageMetadata,
    }),
    z.object({ operation: z.literal('delete_page'), page: Id }),
    z.object({
      operation: z.literal('revert_page'),
      page: Id,
      revision: Id.optional(),
      block: z.array(z.string().max(100)).min(1).max(1000).optional(),
    }),
    z.object({ operation: z.literal('insert_files'), files: z.array(NewFile).min(1).max(20) }),
  ])
  .meta({ id: 'ContentChange' })

export const ContentChanges = z.object({ changes: z.array(ContentChange).min(1).max(50) })

export const ChangeResult = z.union([
  z.object({ object: z.literal('created_page'), ref: z.string().optional(), page: Page }),
  z.object({ object: z.literal('updated_page'), page: Page }),
  z.object({ object: z.literal('deleted_page'), page: Id }),
])

const Changed = { id: Id, title: z.string() }
const ChangedPage = z.object({
  ...Changed,
  path: z.string().optional(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
})
const ChangedFile = z.object({ ...Changed, contentType: z.string().optional() })

/** One thing that differs between two revisions. */
export const Change = z
  .object({
    type: z.enum([
      'page_created',
      'page_edited',
      'page_deleted',
      'page_moved',
      'file_created',
      'file_edited',
      'file_deleted',
      'variables_edited',
      'reusable_content_created',
      'reusable_content_deleted',
      'reusable_content_edited',
    ]),
    page: ChangedPage.optional(),
    file: ChangedFile.optional(),
    reusableContent: z.object(Changed).optional(),
    attributes: z
      .record(z.string(), z.object({ before: z.unknown().optional(), after: z.unknown().optional() }))
      .optional(),
  })
  .meta({ id: 'Change' })

const ContentResult = z.object({
  revision: Id,
  changes: z.array(ChangeResult),
  insertedFiles: z.array(z.object({ ref: z.string().optional(), file: File })),
})

/** Files that came as a form, in the order of the form. */
export const FilesAdded = z.object({ revision: Id, files: z.array(File) })

const R = `${S}/revisions/{revisionId}` as const
const SpaceTemplate = z
  .object({ id: z.string(), title: z.string(), subtitle: z.string(), emoji: z.string() })
  .meta({ id: 'SpaceTemplate' })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const spaceContent = {
  searchSpaceContent:     GET (`${S}/search`,                           'space.view', { query: SearchQuery, ok: List(SearchPage) }),
  getCurrentRevision:     GET (`${S}/content`,                          'space.view', { query: Computed, ok: Revision }),
  applyTemplateToSpace:   POST(`${S}/content/template`,                 'space.edit', { body: z.object({ id: z.string().min(1).max(64) }), createdEmpty: true, fails: ['space_locked'] }),
  listPages:              GET (`${S}/content/pages`,                    'space.view', { query: Computed, ok: Pages, visitors: true }),
  listFiles:              GET (`${S}/content/files`,                    'space.view', { query: FilesQuery, ok: List(File) }),
  getFileById:            GET (`${S}/content/files/{fileId}`,             'space.view', { query: Computed, ok: File, visitors: true }),
  listSpaceFileBacklinks: GET (`${S}/content/files/{fileId}/backlinks`,   'space.view', { query: P, ok: List(ContentLocation) }),
  getPageById:            GET (`${S}/content/page/{pageId}`,              'space.view', { query: PageQuery, ok: Page, visitors: true }),
  listPageLinksInSpace:   GET (`${S}/content/page/{pageId}/links`,        'space.view', { query: LinksQuery, ok: LinkList }),

  // Beyond the specification: writing, and reading by path, by revision and by id.
  updateSpaceContent:        POST(`${S}/content`,                       'space.edit', { body: ContentChanges, ok: ContentResult, fails: ['space_locked', 'conflict', 'cycle', 'invalid_document', 'invalid_condition'] }),
  uploadFiles:               POST(`${S}/content/files`,                 'space.edit', { upload: true, created: FilesAdded, fails: ['space_locked', 'change_request_closed', 'conflict', 'too_large'], summary: 'Add files to the content: up to 20, of 100 MiB each' }),
  getPageByPath:             GET (`${S}/content/path/{pagePath}`,       'space.view', { query: PageQuery, ok: Page, visitors: true }),
  listReusableContents:      GET (`${S}/content/reusable-contents`,     'space.view', { query: P, ok: List(ReusableContent) }),
  getReusableContentById:    GET (`${S}/content/reusable-contents/{reusableContentId}`, 'space.view', { ok: ReusableContent }),
  getDocumentById:           GET (`${S}/documents/{documentId}`,          'space.view', { ok: JSONDocument }),
  listChildPages:            GET (`${S}/content/children`,              'space.view', { query: { parent: Id.optional() }, ok: Pages, visitors: true, summary: 'The pages directly below a page, or at the top' }),
  getPageTrail:              GET (`${S}/content/page/{pageId}/trail`,   'space.view', { ok: Pages, visitors: true, summary: 'A page with those above it, from the top' }),
  getPageTrailByPath:        GET (`${S}/content/trail/{pagePath}`,      'space.view', { ok: Pages, visitors: true, summary: 'The same, by path' }),
  listTemplates:             GET ('/v1/templates',                      'account',    { ok: z.object({ items: z.array(SpaceTemplate) }) }),
}

// biome-ignore format: a table reads best as one.
export const revisions = {
  getRevisionById:         twin(R,                               spaceContent.getCurrentRevision),
  listPagesInRevisionById: twin(`${R}/pages`,                    spaceContent.listPages),
  listFilesInRevisionById: twin(`${R}/files`,                    spaceContent.listFiles),
  getFileInRevisionById:   twin(`${R}/files/{fileId}`,           spaceContent.getFileById),
  getPageInRevisionById:   twin(`${R}/page/{pageId}`,            spaceContent.getPageById),
  getPageInRevisionByPath: twin(`${R}/path/{pagePath}`,          spaceContent.getPageByPath),
  listReusableContentsInRevision: twin(`${R}/reusable-contents`, spaceContent.listReusableContents),
}
