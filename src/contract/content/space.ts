/** The space itself, apart from its table because the shapes of links and members show it too. */
import { z } from 'zod'
import { gitProviders } from '../../core/enumerations.ts'
import { DefaultLevel, Flag, Id, Indexing, Timestamp, Url } from '../shapes.ts'

const SpaceVisibility = z
  .enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'])
  .meta({ id: 'SpaceVisibility' })

export const Space = z
  .object({
    object: z.literal('space'),
    id: Id,
    title: z.string(),
    emoji: z.string(),
    visibility: SpaceVisibility,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp.optional(),
    editMode: z.enum(['live', 'locked']).optional(),
    urls: z.object({
      location: Url,
      app: Url,
      published: Url.optional(),
      public: Url.optional(),
      icon: Url.optional(),
    }),
    organization: Id,
    parent: Id.optional(),
    language: z.string().optional(),
    gitSync: z
      .object({
        repoName: z.string().optional(),
        installationProvider: z.enum(gitProviders).optional(),
        integration: z.string().optional(),
        url: Url.optional(),
        updatedAt: Timestamp.optional(),
      })
      .optional(),
    visitorAuth: z.object({ backend: z.literal('custom') }).optional(),
    revision: Id,
    ...Indexing,
    defaultLevel: DefaultLevel,
    /** What the organization asks for before a merge; a space has no rules of its own. */
    mergeRules: z.object({ type: z.literal('inherit') }),
    comments: z.number().int(),
    changeRequests: z.number().int(),
    changeRequestsOpen: z.number().int(),
    changeRequestsDraft: z.number().int(),
    permissions: z.object({
      view: Flag,
      access: Flag,
      admin: Flag,
      viewInviteLinks: Flag,
      edit: Flag,
      triggerGitSync: Flag,
      comment: Flag,
      merge: Flag,
      review: Flag,
      installIntegration: Flag,
    }),
  })
  .meta({ id: 'Space' })
