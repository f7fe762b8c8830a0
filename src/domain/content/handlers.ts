/** The content of a space: pages, files, links, revisions, search and edits. */
import type { z } from 'zod'
import type { ChangeResult, ContentResult } from '../../contract/content/space-content.ts'
import { spaceContent } from '../../contract/content/space-content.ts'
import { withHeadingIds } from '../../core/document/text/heading-ids.ts'
import { fail, invalidCursor } from '../../core/errors.ts'
import { fileById, isSameContent, pageById, pathOf, reusableById } from '../../core/revision/content.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { openContent, readContent, spaceHolds } from '../../store/content/content.ts'
import { Answer, awaited, type Base, type HandlersOf, JsonText, phased, readFirst } from '../handler.ts'
import { importSteps, uploadedImportSteps } from '../import/handlers.ts'
import { shownSpecs } from '../openapi/shown.ts'
import { exportHandlers } from '../repository/handlers.ts'
import { isFileShown } from '../sites/reading/files.ts'
import { isAdmitted } from '../sites/reading/pages.ts'
import { seesSource } from '../sites/reading/source.ts'
import { templateContent, templates } from '../spaces/templates.ts'
import type { Things } from '../things.ts'
import { type ContentAt, type ContentCall, contentAt, pageAtPath, pageIn, referenceContext, revisionOf } from './at.ts'
import { embedAt } from './embed.ts'
import { listHistory } from './history.ts'
import { viewLevel, viewTrail } from './levels.ts'
import { fileBacklinks, pageLinks } from './links/links.ts'
import { metaLinks } from './meta-links.ts'
import {
  documentFor,
  documentJson,
  emptyDocument,
  presentedPage,
  viewDocument,
  viewLeanTree,
  viewPage,
  viewTree,
} from './page-view.ts'
import { presentFile } from './present-file.ts'
import { presentPage } from './present-page.ts'
import { presentReusable } from './present-reusable.ts'
import { presentRevision } from './present-revision.ts'
import { searchPages } from './search.ts'
import type { Edited, Outcome, ReadyChange, ReusableOutcome } from './write/changes.ts'
import { commitMain, mayAmend } from './write/commit.ts'
import { applyChanges } from './write/edit.ts'
import { prepareChanges } from './write/prepare.ts'
import { uploadSteps } from './write/upload.ts'

/** What lies in a named revision never changes, so whoever read it may keep it. */
const forEver = { 'cache-control': 'private, max-age=31536000, immutable' }

/** The same answer for the content as it is now, and for ever where the path names a revision. */
const answer = <T>(call: ContentCall, at: ContentAt, body: T): T | Answer<T> =>
  // Pages that are made from something else change with it, and what visitors see of one with what is known of them.
  call.revision && !call.actor.visitor && at.content === at.revision.content
    ? new Answer(body, { headers: forEver })
    : body

export const spaceContentHandlers: HandlersOf<typeof spaceContent> = {
  async searchSpaceContent({ space, query, ...base }) {
    return searchPages(base, space, query)
  },

  async getCurrentRevision({ query, ...call }) {
    const at = await contentAt(call, query)
    return presentRevision(call, at, query)
  },

  applyTemplateToSpace: readFirst(spaceContent.applyTemplateToSpace, {
    read: async ({ id }) => templateContent(id, 'id'),
    commit: async ({ space, ...base }, template) => {
      refuseLocked(space)
      const before = await revisionOf(base.db, space.id, space.revisionId)
      const writer = openContent(base.db)
      const content = await template(writer, { newId: base.env.newId, now: base.now, onto: before.content })
      await commitMain(base, space, { writer, before, content, type: 'edits' })
      return new Answer(undefined, { headers: { location: `${base.env.urls.space(space.id).location}/content` } })
    },
  }),

  ...exportHandlers,

  importContent: awaited(spaceContent.importContent, importSteps),

  importUpload: awaited(spaceContent.importUpload, uploadedImportSteps),

  async listPages({ query, ...call }) {
    const at = await contentAt(call, query)
    return answer(
      call,
      at,
      await (query.fields === 'tree' ? viewLeanTree(call, at) : viewTree(call, at, query.metadata)),
    )
  },

  async listFiles({ query, ...call }) {
    const at = await contentAt(call, query)
    return contentList(call, at, {
      name: 'files',
      map: at.content.files,
      query,
      present: (file: FileRecord) => presentFile(file, { env: call.env, now: call.now, metadata: query.metadata }),
    })
  },

  async getFileById({ params, query, ...call }) {
    const at = await contentAt(call, query)
    const file = await fileIn(at, params.fileId)
    const { visitor } = call.actor
    if (visitor && !(await isFileShown(call, visitor, at, file))) throw noFile(params.fileId)
    const metadata = query.metadata && (await seesSource(call, call.space.id))
    return presentFile(file, { env: call.env, now: call.now, metadata })
  },

  async listSpaceFileBacklinks({ params, query, ...call }) {
    const at = await contentAt(call)
    return fileBacklinks(call, at, await fileIn(at, params.fileId), query)
  },

  async getPageById(call) {
    const { params, query } = call
    const presented = presentedPage(call, params.pageId, query)
    if (presented) return presented
    const at = await contentAt(call, query)
    return answer(call, at, await viewPage(call, at, await pageIn(at, params.pageId), query))
  },

  async listPageLinksInSpace({ params, query, ...call }) {
    const at = await contentAt(call)
    return pageLinks(call, at, await pageIn(at, params.pageId), query)
  },

  updateSpaceContent: phased(spaceContent.updateSpaceContent, {
    prepare: async ({ body, space, ...base }, stale?: ReadyChange[]) => {
      refuseLocked(space)
      const head = await revisionOf(base.db, space.id, space.revisionId)
      return prepareChanges(base, space, body.changes, { head, revertTo: head.parents[0], stale })
    },
    commit: async ({ space, body, ...base }, changes) => {
      refuseLocked(space)
      const before = await revisionOf(base.db, space.id, space.revisionId)
      const writer = openContent(base.db)
      const edited = await applyChanges({ db: base.db, writer, space, now: base.now }, before.content, changes)
      const { content } = edited
      let revision = before
      if (!isSameContent(content, before.content)) {
        const amends = body.amend && (await mayAmend(base, before, { spaceId: space.id }))
        revision = await commitMain(base, space, { writer, before, content, type: 'edits', amends })
      }
      return {
        revision: revision.id,
        ...(await presentEdited(base, { reader: writer, content, revision, space }, edited)),
      }
    },
  }),

  uploadFiles: phased(spaceContent.uploadFiles, uploadSteps),

  async getPageByPath({ params, query, ...call }) {
    const at = await contentAt(call, query)
    const page = await pageAtPath(call.db, at, params.pagePath)
    const visitor = call.actor.visitor?.scope
    if (!page || (visitor && !(await isAdmitted(at, page, visitor))))
      throw fail('not_found', `There is no page at ${params.pagePath}.`)
    return viewPage(call, at, page, query)
  },

  async listReusableContents({ query, ...call }) {
    const at = await contentAt(call)
    return contentList(call, at, {
      name: 'reusable',
      map: at.content.reusable,
      query,
      present: (record: ReusableRecord) => presentReusable(record),
    })
  },

  async getReusableContentById({ params, ...call }) {
    const at = await contentAt(call)
    const record = await reusableById(at.reader, at.content, params.reusableContentId)
    if (!record) throw fail('not_found')
    return presentReusable(record)
  },

  async getDocumentById({ db, space, params }) {
    const hash = params.documentId
    if (!(await spaceHolds(db, { spaceId: space.id, hash })) && !(await isInCopy(db, space, hash)))
      throw fail('not_found')
    const reader = readContent(db)
    const json = await documentJson(reader, hash)
    const document = json === undefined ? withHeadingIds(await reader.document(hash)) : new JsonText(json)
    return new Answer(document, { headers: forEver })
  },

  async getPageDocument({ params, query, ...call }) {
    const at = await contentAt(call)
    return answer(call, at, await viewDocument(call, at, await pageIn(at, params.pageId), query))
  },

  async getPageMetaLinks({ params, ...call }) {
    return metaLinks(call, await contentAt(call), params.pageId)
  },

  async getReusableContentDocument({ params, ...call }) {
    const at = await contentAt(call)
    const record = await reusableById(at.reader, at.content, params.reusableContentId)
    if (!record) throw fail('not_found')
    const document = record.document === undefined ? emptyDocument : await at.reader.document(record.document)
    return answer(call, at, withHeadingIds(document))
  },

  async getEmbedByUrlInSpace({ query, ...base }) {
    return embedAt(base, query.url)
  },

  async listChildPages({ query, ...call }) {
    const at = await contentAt(call)
    return viewLevel(call, at, query.parent === undefined ? undefined : await pageIn(at, query.parent))
  },

  async getPageTrail({ params, ...call }) {
    const at = await contentAt(call)
    return viewTrail(call, at, await pageIn(at, params.pageId))
  },

  async listPageOpenAPISpecs({ params, ...call }) {
    const at = await contentAt(call)
    const document = await documentFor(call, at, await pageIn(at, params.pageId))
    const specs = document ? await shownSpecs(call, referenceContext(at), document) : []
    return { specs: specs.map(({ ref, part }) => ({ ref, part: { ...part } })) }
  },

  async getPageTrailByPath({ params, ...call }) {
    const at = await contentAt(call)
    const page = await pageAtPath(call.db, at, params.pagePath)
    if (!page) throw fail('not_found', `There is no page at ${params.pagePath}.`)
    return viewTrail(call, at, page)
  },

  async listRevisions({ query, ...call }) {
    return listHistory(call, query)
  },

  async listTemplates() {
    return { items: templates.map(({ id, title, subtitle, emoji }) => ({ id, title, subtitle, emoji })) }
  },
}

/** Of a copy that is not indexed yet, only its pages tell which documents it holds. */
async function isInCopy(db: Base['db'], space: Things['space'], hash: string): Promise<boolean> {
  if (space.indexedUpTo === null) return false
  const { content } = await revisionOf(db, space.id, space.revisionId)
  const pages = await entries<PageRecord>(readContent(db), content.pages)
  return pages.some(([, page]) => page.document === hash)
}

function refuseLocked(space: Things['space']): void {
  if (space.editMode === 'locked') throw fail('space_locked')
}

async function fileIn({ reader, content }: ContentAt, id: string): Promise<FileRecord> {
  const file = await fileById(reader, content, id)
  if (!file) throw noFile(id)
  return file
}

const noFile = (id: string) => fail('not_found', `There is no file ${id} in this content.`)

/** Pages through one of the maps of a content, in the order of ids. */
async function contentList<Record, Item>(
  call: ContentCall,
  at: ContentAt,
  request: {
    name: string
    map: ContentAt['content']['files']
    query: { page?: string | undefined; limit: number }
    present: (record: Record) => Item
  },
) {
  const { signer } = call.env
  const { query, map } = request
  // What the path names, not what it holds just now: a walk goes on while others write.
  const of = call.revision?.id ?? call.changeRequest?.id ?? at.space.id
  const purpose = `list:${request.name}:${of}`
  const after = query.page === undefined ? undefined : signer.open(purpose, query.page)
  if (query.page !== undefined && after === undefined) throw invalidCursor()
  const from = after === undefined ? '' : `${after}\0`
  const found = await entries<Record>(at.reader, map, { from, limit: query.limit + 1 })
  const shown = found.slice(0, query.limit)
  const last = shown.at(-1)
  const next = found.length > query.limit && last ? { next: { page: signer.seal(purpose, last[0]) } } : {}
  return { ...next, count: map.count, items: shown.map(([, record]) => request.present(record)) }
}

export async function presentEdited(base: Base, at: ContentAt, edited: Edited) {
  const changes: z.output<typeof ChangeResult>[] = []
  for (const outcome of edited.outcomes) {
    const page = outcome.kind === 'deleted' ? undefined : await pageById(at.reader, at.content, outcome.page)
    if (!page) {
      changes.push({ object: 'deleted_page', page: outcome.page })
      continue
    }
    const path = await pathOf(at.reader, at.content, page)
    const shown = presentPage(page, { urls: base.env.urls, spaceId: at.space.id, path, children: [], metadata: false })
    if (outcome.kind === 'created')
      changes.push({ object: 'created_page', ...(outcome.ref === undefined ? {} : { ref: outcome.ref }), page: shown })
    else if (outcome.kind === 'updated') changes.push({ object: 'updated_page', page: shown, ...rebasedOf(outcome) })
  }
  const insertedFiles = edited.files.map(({ ref, file }) => ({
    ...(ref === undefined ? {} : { ref }),
    file: presentFile(file, { env: base.env, now: base.now }),
  }))
  const reusables = await presentReusables(at, edited.reusables)
  return { changes, insertedFiles, ...(reusables.length === 0 ? {} : { reusableContents: reusables }) }
}

/** What an edit that named its base has to be told beside the page. */
const rebasedOf = ({ merged, document, conflicts }: Extract<Outcome, { kind: 'updated' }>) => ({
  ...(merged ? { merged: true as const } : {}),
  ...(document ? { document: withHeadingIds(document) } : {}),
  ...(conflicts ? { conflicts } : {}),
})

async function presentReusables({ reader, content }: ContentAt, outcomes: readonly ReusableOutcome[]) {
  const shown: NonNullable<z.output<typeof ContentResult>['reusableContents']> = []
  for (const { kind, id, ref } of outcomes) {
    const record = kind === 'deleted' ? undefined : await reusableById(reader, content, id)
    if (!record) shown.push({ object: 'deleted_reusable_content', reusableContent: id })
    else if (kind === 'updated')
      shown.push({ object: 'updated_reusable_content', reusableContent: presentReusable(record) })
    else
      shown.push({
        object: 'created_reusable_content',
        ...(ref === undefined ? {} : { ref }),
        reusableContent: presentReusable(record),
      })
  }
  return shown
}
