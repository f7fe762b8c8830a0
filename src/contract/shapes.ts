/** The words that all tables share: path shorthands, the list envelope, enumerations and small shapes of the specification. */

import { z } from 'zod'
import { roles } from '../core/permissions.ts'
import { Id } from '../core/shapes.ts'

export { Emoji, Flag, Id, WebUrl } from '../core/shapes.ts'

export const S = '/v1/spaces/{spaceId}'
export const CR = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}'
export const O = '/v1/orgs/{organizationId}'
export const SITE = '/v1/orgs/{organizationId}/sites/{siteId}'
export const C = '/v1/collections/{collectionId}'

/** The paging parameters of every list. */
export const P = {
  page: z.string().max(2048).optional().describe('Token of the page to fetch, taken from `next.page`.'),
  limit: z.number().int().min(1).max(1000).default(50).describe('How many items at the most.'),
}

/** The envelope of every list; `next` is there only when there is a next page. */
export const List = <T extends z.ZodType>(item: T) =>
  z.object({
    next: z.object({ page: z.string() }).optional(),
    count: z.number().int().describe('How many there are in all, of those the caller may see.'),
    items: z.array(item),
  })

/** Of what is found by an index, while that of a fresh copy is still being made. */
export const Indexing = {
  indexing: z
    .literal(true)
    .optional()
    .describe('The space is a fresh copy: its search and links are still being made and lack some pages.'),
}

export interface ListOf<T> {
  next?: { page: string } | undefined
  count: number
  items: T[]
}

export const Timestamp = z.string().meta({ format: 'date-time' })
export const Url = z.string().max(2048).meta({ format: 'uri' })
export const Email = z.email('must be an e-mail address').max(254)
export const Order = z.enum(['asc', 'desc']).default('desc')

export const Role = z.enum(roles).meta({ id: 'Role' })
export const RoleOrGuest = Role.nullable().describe('null means guest')
export const DefaultLevel = z.union([Role, z.null(), z.literal('inherit')]).meta({ id: 'DefaultLevel' })
export const TeamRole = z.enum(['owner', 'member']).meta({ id: 'TeamRole' })

export const Location = z.object({ location: Url })

/** The body of a write whose fields may all be left out; an absent body is an empty one. */
export const optionalBody = <T extends z.ZodRawShape>(shape: T) => z.object(shape).prefault({} as never)

/** `{ position: { before?, after? } }` with references of one kind. */
export const PositionOf = <T extends z.ZodType>(ref: T) =>
  z
    .object({ before: ref.optional(), after: ref.optional() })
    .describe('Before or after a sibling; neither puts it last.')

export const User = z
  .object({
    object: z.literal('user'),
    id: Id,
    displayName: z.string(),
    email: z.string().optional(),
    photoURL: z.string().optional(),
    urls: Location,
  })
  .meta({ id: 'User' })
