/** References between contents, as the link operations list them. */
import { z } from 'zod'
import { linkStatuses } from '../../core/enumerations.ts'
import { Organization } from '../people/organizations.ts'
import { Indexing, List, P, User } from '../shapes.ts'
import { File, Page, ReusableContent, Revision } from './pages.ts'
import { Space } from './space.ts'

const LinkStatus = z.enum(linkStatuses).meta({ id: 'LinkStatus' })

export const ContentLocation = z
  .object({
    kind: z.enum(['file', 'url', 'page', 'user', 'collection', 'space', 'reusable-content', 'openapi', 'tag']),
    organization: Organization.optional(),
    space: Space.optional(),
    versionContext: z
      .object({
        type: z.enum(['revision', 'changeRequest']),
        revision: Revision.partial().optional(),
        changeRequest: z.looseObject({ object: z.literal('change-request') }).optional(),
      })
      .optional(),
    file: File.optional(),
    page: Page.optional(),
    internalLocation: z
      .object({ type: z.enum(['anchor', 'node']), anchor: z.string().optional(), node: z.string().optional() })
      .optional(),
    url: z.string().optional(),
    user: User.optional(),
    collection: z.looseObject({ object: z.literal('collection') }).optional(),
    reusableContent: ReusableContent.optional(),
    openAPISpec: z.string().optional(),
  })
  .meta({ id: 'ContentLocation' })

export const Link = z
  .object({
    status: LinkStatus,
    relation: z.enum(['reference', 'dependsOn']),
    targetReference: ContentLocation.optional(),
    locationReferences: z.array(ContentLocation),
  })
  .meta({ id: 'Link' })

export const LinkList = List(Link).extend({
  ...Indexing,
  stats: z.object({
    total: z.number().int(),
    broken: z.object({ total: z.number().int(), changeRequest: z.number().int().optional() }),
  }),
})

export const LinksQuery = { ...P, status: LinkStatus.optional() }
