/** Pages, files and revisions: the shapes of content. */
import { z } from 'zod'
import { pageTypes, revisionTypes } from '../../core/enumerations.ts'
import { Cover, Layout } from '../../core/revision/page-shapes.ts'
import { ContentRef, JSONDocument } from '../../core/shapes.ts'
import { Flag, Id, Timestamp, Url, User } from '../shapes.ts'

const GitBlob = z.object({ oid: z.string(), path: z.string() })

/** Covers have no mask, which newer clients want to be told. */
const AnsweredLayout = Layout.extend({ coverMask: z.literal(false) })

export const Page = z
  .object({
    id: Id,
    title: z.string(),
    type: z.enum(pageTypes),
    kind: z.enum(['sheet', 'group', 'link']).optional(),
    linkTitle: z.string().optional(),
    emoji: z.string().optional(),
    icon: z.string().optional(),
    createdAt: Timestamp.optional(),
    updatedAt: Timestamp.optional(),
    condition: z.string().optional(),
    urls: z.object({ app: Url }).optional(),
    slug: z.string().optional(),
    path: z.string().optional(),
    description: z.string().optional(),
    documentId: z.string().optional(),
    markdown: z.string().optional(),
    document: JSONDocument.optional(),
    get pages() {
      return z.array(Page).optional()
    },
    hasPages: Flag.optional().describe('Where pages are listed level by level: whether more stand below this one.'),
    git: GitBlob.optional(),
    layout: AnsweredLayout.optional(),
    cover: Cover.optional(),
    variables: z.record(z.string(), z.string()).optional(),
    hidden: Flag.optional(),
    noIndex: Flag.optional(),
    noRobotsIndex: Flag.optional(),
    tags: z.array(z.string()).optional(),
    target: ContentRef.optional(),
    href: z.string().optional(),
    computed: z.looseObject({ type: z.string() }).optional(),
    computedSeed: z.string().optional(),
    revision: Id.optional().describe('Where it is asked for: the revision that the page was read at.'),
  })
  .meta({ id: 'Page' })

export const File = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string(),
    downloadURL: Url,
    size: z.number().int(),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: GitBlob.optional(),
  })
  .meta({ id: 'File' })

export const ReusableContent = z
  .object({
    id: Id,
    title: z.string(),
    document: z.string().optional().describe('Id of its document.'),
    git: GitBlob.optional(),
  })
  .meta({ id: 'ReusableContent' })

export const Revision = z
  .object({
    object: z.literal('revision'),
    id: Id,
    parents: z.array(Id),
    type: z.enum(revisionTypes),
    pages: z.array(Page),
    files: z.array(File),
    reusableContents: z.array(ReusableContent),
    variables: z.record(z.string(), z.string()).optional(),
    tags: z.array(z.string()),
    createdAt: Timestamp,
    git: z
      .object({
        oid: z.string(),
        message: z.string(),
        createdByService: Flag,
        url: Url.optional(),
        ref: z.string().optional(),
      })
      .optional(),
    mergedFrom: z.looseObject({ object: z.literal('change-request'), id: Id }).optional(),
    urls: z.object({ app: Url, published: Url.optional(), public: Url.optional() }),
  })
  .meta({ id: 'Revision' })

/** A revision as a history lists it, without its content. */
export const RevisionSummary = z
  .object({
    object: z.literal('revision'),
    id: Id,
    parents: z.array(Id),
    type: Revision.shape.type,
    createdAt: Timestamp,
    createdBy: User.optional().describe('Absent when the account is gone.'),
    git: Revision.shape.git,
    mergedFrom: Revision.shape.mergedFrom,
    urls: z.object({ app: Url }),
  })
  .meta({ id: 'RevisionSummary' })
