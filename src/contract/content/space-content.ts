import { z } from 'zod'
import { conflictChoices, pageTypes } from '../../core/enumerations.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { Cover, Layout } from '../../core/revision/page-shapes.ts'
import { ContentRef, JSONDocument } from '../../core/shapes.ts'
import { GET, POST, twin } from '../operation.ts'
import { Emoji, Flag, Id, Indexing, List, P, S, WebUrl } from '../shapes.ts'
import { ExportLink, ImportResult, NewImport, UploadQuery, UploadResult } from './imports.ts'
import { ContentLocation, LinkList, LinksQuery } from './links.ts'
import { File, Page, ReusableContent, Revision, RevisionSummary } from './pages.ts'
import { SearchPage, SearchQuery } from './search.ts'

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
  revision: z
    .boolean()
    .default(false)
    .describe('true answers with the revision that the page was read at, which a write takes as its `base`.'),
}
const DocumentQuery = { evaluated: PageQuery.evaluated, dereferenced: PageQuery.dereferenced }
const FilesQuery = { ...P, ...Computed }
const PagesQuery = {
  ...Computed,
  fields: z
    .enum(['tree'])
    .optional()
    .describe(
      '`tree` gives of each page its id, title, type, icon, whether it is hidden, and when it was changed: a fifth of the size.',
    ),
}
const Pages = z.object({ pages: z.array(Page) })

const Body = z.union([
  z.object({ markdown: z.string().max(1024 * 1024, 'may hold at most 1 MiB of Markdown') }),
  z.object({ document: JSONDocument }),
  z.strictObject({}),
])

/** A body as the difference from the document at `base`: top-level blocks by their keys. */
const BlockChanges = z.strictObject({
  put: z
    .array(z.looseObject({ object: z.literal('block'), type: z.string(), key: z.string().max(128).optional() }))
    .max(20_000)
    .describe('Blocks that are new or changed, whole. One whose key the base has takes the place of that one.'),
  gone: z.array(z.string().max(128)).max(20_000).optional().describe('Keys of blocks that were deleted.'),
  order: z
    .array(z.string().max(128))
    .max(40_000)
    .optional()
    .describe('The keys of all blocks in their order, needed where blocks moved or new ones are not at the end.'),
})

const At = z.number().int().min(0).max(100_000)
const Ref = z.string().min(1).max(100)

const VariableName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)
const VariableValue = z.string().max(256)

const Title = z.string().min(1).max(500).regex(/\S/, 'must have a visible character')

const PageMetadata = {
  title: Title.optional(),
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
  variables: z.record(VariableName, VariableValue).optional(),
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

/** A page or a whole section of pages that are made from a spec, and follow its versions. */
const ComputedSource = z.object({
  type: z.literal('builtin:openapi'),
  props: z
    .object({
      models: Flag.default(true).describe('Whether there is a page with the models.'),
      grouping: z
        .enum(['by-tag', 'by-operation'])
        .default('by-tag')
        .describe('A page for each tag, or for each operation.'),
    })
    .prefault({}),
  dependencies: z.object({
    spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: z.string().min(1).max(100) }) }),
  }),
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
      type: z.enum(pageTypes).optional(),
      target: ContentRef.optional().describe('Where a page of type `link` points.'),
      computed: ComputedSource.optional().describe('What a page of type `computed` is made from.'),
      ...PageMetadata,
    }),
    z.object({
      operation: z.literal('update_page'),
      page: Id,
      document: z.union([...Body.options, BlockChanges]).optional(),
      base: Id.optional().describe(
        'The revision that the edit was made from. Where the page has changed since, both edits are brought together.',
      ),
      onConflict: z
        .enum(['mark', 'refuse'])
        .default('mark')
        .describe('With `base`, when both edits want something different: keep both versions, marked, or answer 409.'),
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
    z.object({
      operation: z.literal('move_page'),
      page: Id,
      into: Id.nullable().optional().describe('The page above; null is the root. Absent keeps it.'),
      at: At.optional(),
    }),
    z.object({
      operation: z.literal('resolve_conflict'),
      page: Id.optional(),
      reusableContent: Id.optional(),
      block: z.string().min(1).max(128).describe('The key of either version, or the id of the conflict.'),
      keep: z.enum(conflictChoices),
    }),
    z.object({
      operation: z.literal('insert_reusable_content'),
      title: Title,
      document: Body.optional(),
      ref: Ref.optional(),
    }),
    z.object({
      operation: z.literal('update_reusable_content'),
      reusableContent: Id,
      title: Title.optional(),
      document: Body.optional(),
    }),
    z.object({ operation: z.literal('delete_reusable_content'), reusableContent: Id }),
    z.object({
      operation: z.literal('update_variables'),
      page: Id.optional().describe('Variables of this page; without it, of the space.'),
      variables: z
        .record(VariableName, VariableValue.nullable())
        .describe('By name; null takes a variable away, one that is not named stays.'),
    }),
  ])
  .meta({ id: 'ContentChange' })

export const ContentChanges = z.object({
  changes: z.array(ContentChange).min(1).max(50),
  amend: Flag.default(false).describe(
    'Takes the place of the last revision instead of following it, where that is an edit of yours, less than ten minutes old, that nothing refers to.',
  ),
})

const EditConflict = z
  .object({
    page: Id,
    block: z.string().optional().describe('The id of the conflict: the key that the block had.'),
    field: z.string().optional(),
    ours: z.unknown().describe('What was stored: the blocks, or the value of the field.'),
    theirs: z.unknown().describe('What was sent.'),
  })
  .meta({ id: 'EditConflict' })

export const ChangeResult = z.union([
  z.object({ object: z.literal('created_page'), ref: z.string().optional(), page: Page }),
  z.object({
    object: z.literal('updated_page'),
    page: Page,
    merged: z.literal(true).optional().describe('The page had changed since `base`; both edits are in it.'),
    document: JSONDocument.optional().describe(
      'With `base`: what the page holds now, where that is not what was sent.',
    ),
    conflicts: z
      .array(EditConflict)
      .optional()
      .describe('What both edits want differently. Blocks stand there twice, marked.'),
  }),
  z.object({ object: z.literal('deleted_page'), page: Id }),
])

/** What a batch made of the reusable contents it changed, beside its pages and files. */
const ReusableResult = z.union([
  z.object({
    object: z.literal('created_reusable_content'),
    ref: z.string().optional(),
    reusableContent: ReusableContent,
  }),
  z.object({ object: z.literal('updated_reusable_content'), reusableContent: ReusableContent }),
  z.object({ object: z.literal('deleted_reusable_content'), reusableContent: Id }),
])

/** What a batch did, in the order of its changes, kind by kind. */
export const BatchResult = {
  changes: z.array(ChangeResult),
  insertedFiles: z.array(z.object({ ref: z.string().optional(), file: File })),
  reusableContents: z.array(ReusableResult).optional(),
}

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

export const ContentResult = z.object({ revision: Id, ...BatchResult })

/** Files that came as a form, in the order of the form. */
export const FilesAdded = z.object({ revision: Id, files: z.array(File) })

const RevisionsQuery = {
  ...P,
  targetPage: Id.optional().describe('Only revisions in which this page changed.'),
}

const R = `${S}/revisions/{revisionId}` as const
const SpaceTemplate = z
  .object({ id: z.string(), title: z.string(), subtitle: z.string(), emoji: z.string() })
  .meta({ id: 'SpaceTemplate' })

/** What a page shows of a spec. */
const PageSpec = z.object({
  ref: ContentRef.describe('The spec, as the blocks of the page name it.'),
  part: z
    .custom<SpecPart>()
    .meta({ type: 'object' })
    .describe('Its operations, webhooks and schemas that the page shows, with all they refer to.'),
})

const MetaLinks = z.object({
  canonical: ContentRef.optional(),
  alternates: z.array(ContentRef).describe('The same page in the other languages that the space is translated into.'),
})

/** What another web page says of itself. */
const Embed = z
  .object({ type: z.literal('link'), title: z.string(), site: z.string(), icon: WebUrl.optional() })
  .meta({ id: 'Embed' })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const spaceContent = {
  searchSpaceContent:     GET (`${S}/search`,                           'space.view', { query: SearchQuery, ok: List(SearchPage).extend(Indexing) }),
  getCurrentRevision:     GET (`${S}/content`,                          'space.view', { query: Computed, ok: Revision }),
  applyTemplateToSpace:   POST(`${S}/content/template`,                 'space.edit', { body: z.object({ id: z.string().min(1).max(64) }), createdEmpty: true, match: 'revision', fails: ['space_locked', 'space_translated'] }),
  importContent:          POST(`${S}/content/import`,                   'space.edit', { body: NewImport, created: ImportResult, fails: ['space_locked', 'space_translated', 'change_request_closed', 'conflict', 'too_large'], summary: 'Bring in a website, a file or an archive; waits up to two minutes for it' }),
  importUpload:           POST(`${S}/content/import/upload`,            'space.edit', { upload: true, query: UploadQuery, created: UploadResult, fails: ['space_locked', 'space_translated', 'change_request_closed', 'conflict', 'too_large'], summary: 'Bring in a file or an archive that is sent along; waits up to two minutes for it' }),
  listPages:              GET (`${S}/content/pages`,                    'space.view', { query: PagesQuery, ok: Pages, visitors: true }),
  listFiles:              GET (`${S}/content/files`,                    'space.view', { query: FilesQuery, ok: List(File) }),
  getFileById:            GET (`${S}/content/files/{fileId}`,             'space.view', { query: Computed, ok: File, visitors: true }),
  listSpaceFileBacklinks: GET (`${S}/content/files/{fileId}/backlinks`,   'space.view', { query: P, ok: List(ContentLocation) }),
  getPageById:            GET (`${S}/content/page/{pageId}`,              'space.view', { query: PageQuery, ok: Page, stored: 'mostly', visitors: true }),
  listPageLinksInSpace:   GET (`${S}/content/page/{pageId}/links`,        'space.view', { query: LinksQuery, ok: LinkList }),

  // Beyond the specification: writing, and reading by path, by revision and by id.
  exportContent:             GET (`${S}/content/export`,                'space.view', { ok: ExportLink, summary: 'An address of the content as a zip of Markdown and files, as `lectern export` writes it' }),
  updateSpaceContent:        POST(`${S}/content`,                       'space.edit', { body: ContentChanges, ok: ContentResult, match: 'revision', fails: ['space_locked', 'space_translated', 'conflict', 'edit_conflict', 'base_gone', 'cycle', 'invalid_document', 'invalid_condition'] }),
  uploadFiles:               POST(`${S}/content/files`,                 'space.edit', { upload: true, created: FilesAdded, match: 'revision', fails: ['space_locked', 'space_translated', 'change_request_closed', 'conflict', 'too_large'], summary: 'Add files to the content: up to 20, of 100 MiB each' }),
  getPageByPath:             GET (`${S}/content/path/{pagePath}`,       'space.view', { query: PageQuery, ok: Page, stored: 'mostly', visitors: true }),
  listReusableContents:      GET (`${S}/content/reusable-contents`,     'space.view', { query: P, ok: List(ReusableContent) }),
  getReusableContentById:    GET (`${S}/content/reusable-contents/{reusableContentId}`, 'space.view', { ok: ReusableContent }),
  getDocumentById:           GET (`${S}/documents/{documentId}`,          'space.view', { ok: JSONDocument, stored: 'mostly' }),
  getPageDocument:           GET (`${S}/content/page/{pageId}/document`, 'space.view', { query: DocumentQuery, ok: JSONDocument, stored: 'mostly', visitors: true, summary: 'The document of a page, and nothing else of it' }),
  getPageMetaLinks:          GET (`${S}/content/page/{pageId}/meta-links`, 'space.view', { ok: MetaLinks, visitors: true }),
  getReusableContentDocument: GET(`${S}/content/reusable-contents/{reusableContentId}/document`, 'space.view', { ok: JSONDocument }),
  getEmbedByUrlInSpace:      GET (`${S}/embed`,                         'space.view', { query: { url: WebUrl }, ok: Embed, visitors: true, summary: 'What the web page at an address says of itself' }),
  listChildPages:            GET (`${S}/content/children`,              'space.view', { query: { parent: Id.optional() }, ok: Pages, visitors: true, summary: 'The pages directly below a page, or at the top' }),
  getPageTrail:              GET (`${S}/content/page/{pageId}/trail`,   'space.view', { ok: Pages, visitors: true, summary: 'A page with those above it, from the top' }),
  listPageOpenAPISpecs: GET(`${S}/content/page/{pageId}/openapi`, 'space.view', { ok: z.object({ specs: z.array(PageSpec) }), visitors: true }),
  getPageTrailByPath:        GET (`${S}/content/trail/{pagePath}`,      'space.view', { ok: Pages, visitors: true, summary: 'The same, by path' }),
  listRevisions:             GET (`${S}/revisions`,                     'space.view', { query: RevisionsQuery, ok: List(RevisionSummary), summary: 'The history of the content, newest first' }),
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
  getPageDocumentInRevision: twin(`${R}/page/{pageId}/document`, spaceContent.getPageDocument),
  getPageMetaLinksInRevision: twin(`${R}/page/{pageId}/meta-links`, spaceContent.getPageMetaLinks),
  listReusableContentsInRevision: twin(`${R}/reusable-contents`, spaceContent.listReusableContents),
  getReusableContentInRevision: twin(`${R}/reusable-contents/{reusableContentId}`, spaceContent.getReusableContentById),
  getReusableContentDocumentInRevision: twin(`${R}/reusable-contents/{reusableContentId}/document`, spaceContent.getReusableContentDocument),
}
