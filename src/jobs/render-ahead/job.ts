/**
 * Renders what takes long of published pages (highlighted code, formulas) before anybody reads them, and stores each part under
 * the hash that rendering looks it up by: a first reader finds what a second one would.
 *
 * 1. A job for each space that is shown on a published site. Only documents that are others than in the revision that was
 *    rendered last are looked at; the first time, by another renderer and when variables of the space changed, all.
 * 2. How far it has come stands beside the space. A run that was killed goes on there, towards the revision that it was on its
 *    way to, and then to the one that the space has moved on to. What is done twice is the same.
 * 3. It gives way: to saves that follow each other, to readers (render-parts.ts), and after a while to the next space.
 * 4. Without a space it looks which spaces are behind: when a site is published or changed, after a restore and every few
 *    minutes, for spaces that were put on a site in the moment of a save, and after an upgrade.
 */
import { z } from 'zod'
import { identical } from '../../core/diff/equal.ts'
import type { Content } from '../../core/revision/content.ts'
import { renderSpaceAhead, settledMilliseconds } from '../../domain/sites/render-ahead.ts'
import { rendererVersion } from '../../site/render/parts.ts'
import { readContent } from '../../store/content/content.ts'
import { findRevision, type RevisionRow } from '../../store/content/revisions.ts'
import { findSpace, type SpaceRow } from '../../store/content/spaces.ts'
import type { Connection, Database } from '../../store/database.ts'
import {
  findRenderedSpace,
  listUnrendered,
  putRenderedSpace,
  type RenderedSpaceRow,
} from '../../store/sites/rendered-spaces.ts'
import { publishedSitesShowing } from '../../store/sites/sites.ts'
import { defineJob, type JobRun } from '../kinds.ts'
import { dueDocuments, partsOfDocuments } from './due-documents.ts'
import { renderParts } from './render-parts.ts'

const minute = 60_000

export interface RenderAheadOptions {
  /** A space that is saved again and again is rendered after this long. */
  longestWaitMilliseconds: number
  /** Then the next space is rendered, and this one goes on later. */
  longestRunMilliseconds: number
}

const Payload = z.object({ space: z.string(), since: z.string() }).nullable()
type Wish = NonNullable<z.output<typeof Payload>>

export const makeRenderAhead = (options: RenderAheadOptions) =>
  defineJob({
    every: 10 * minute,
    background: true,
    payload: Payload,
    run: ({ payload, ...job }) =>
      payload === null ? enqueueUnrendered(job) : renderSpace({ ...job, payload }, options),
    failed: (tx, { payload }) => leaveToReaders(tx, payload),
  })

export const renderAhead = makeRenderAhead({ longestWaitMilliseconds: minute, longestRunMilliseconds: minute })

const spacesAtOnce = 200

async function enqueueUnrendered({ db, signal }: Pick<JobRun<null>, 'db' | 'signal'>): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted()
    const spaces: { id: string }[] = await listUnrendered(db, { renderer: rendererVersion, after, limit: spacesAtOnce })
    await db.transaction(async (tx) => {
      for (const { id } of spaces) await renderSpaceAhead(tx, { space: id })
    })
    after = spaces.at(-1)?.id
  }
}

/** What cannot be rendered ahead is tried again when the content has changed, and not every few minutes. */
async function leaveToReaders(tx: Connection, wish: Wish | null): Promise<void> {
  const space = wish && (await findSpace(tx, { id: wish.space }))
  if (space) await putRenderedSpace(tx, { ...nothingRendered, spaceId: space.id, revisionId: space.revisionId })
}

async function renderSpace(job: JobRun<Wish>, options: RenderAheadOptions): Promise<void> {
  const { db, log, signal, payload } = job
  const began = performance.now()
  let parts = 0
  const end = async (goesOn?: Date): Promise<void> => {
    if (goesOn) await job.finish((tx) => renderSpaceAhead(tx, { ...payload, runAt: goesOn }))
    const milliseconds = Math.round(performance.now() - began)
    if (parts > 0) log.info({ space: payload.space, parts, milliseconds }, 'rendered parts of published pages ahead')
  }
  for (;;) {
    const progress = await progressOf(db, payload.space)
    if (!progress) return end()
    const { note, from, to } = progress
    const settles = Date.parse(to.createdAt) + settledMilliseconds
    const isPatient = Date.now() - Date.parse(payload.since) < options.longestWaitMilliseconds
    if (note.towards === null && settles > Date.now() && isPatient) return end(new Date(settles))
    const reader = readContent(db)
    for await (const batch of dueDocuments(reader, { from, to: to.content, after: note.after })) {
      signal.throwIfAborted()
      parts += await renderParts({ db, signal }, await partsOfDocuments(reader, to.content, batch))
      await save(db, { ...note, towards: to.id, after: batch.at(-1)?.position ?? note.after })
      if (performance.now() - began > options.longestRunMilliseconds) return end(new Date())
    }
    await save(db, { ...note, revisionId: to.id, towards: null, after: '' })
  }
}

interface Progress {
  note: RenderedSpaceRow
  /** What was rendered last; nothing when all is to be looked at. */
  from: Content | undefined
  to: RevisionRow
}

/** What is to be done for a space now; nothing when no reader sees it, or when it is done. */
async function progressOf(db: Database, spaceId: string): Promise<Progress | undefined> {
  const space = await findSpace(db, { id: spaceId })
  if (!space || space.deletedAt !== null) return undefined
  if ((await publishedSitesShowing(db, [spaceId])).length === 0) return undefined
  const known = await findRenderedSpace(db, { spaceId })
  const note = known?.renderer === rendererVersion ? known : { ...nothingRendered, spaceId }
  if (note.towards === null && note.revisionId === space.revisionId) return undefined
  const revisionOf = (id: string | null) => (id === null ? undefined : findRevision(db, { id, spaceId }))
  const towards = await revisionOf(note.towards)
  const to = towards ?? (await headOf(db, space))
  const last = await revisionOf(note.revisionId)
  // Any document may show a variable.
  const from = last && identical(last.content.variables, to.content.variables) ? last.content : undefined
  // What it was on its way to may have been taken back since: saves amend each other.
  return { note: towards ? note : { ...note, towards: null, after: '' }, from, to }
}

const nothingRendered = { renderer: rendererVersion, revisionId: null, towards: null, after: '' }

async function headOf(db: Database, { id, revisionId }: SpaceRow): Promise<RevisionRow> {
  const revision = await findRevision(db, { id: revisionId, spaceId: id })
  if (!revision) throw new Error('A space points at a revision of its own.')
  return revision
}

const save = (db: Database, note: RenderedSpaceRow): Promise<unknown> =>
  db.transaction((tx) => putRenderedSpace(tx, note), { derived: true })
