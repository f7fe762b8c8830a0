/** Sites and their parts, and the fields that several of their tables take. */
import { z } from 'zod'
import { siteVisibilities } from '../../core/enumerations.ts'
import { Space } from '../content/space.ts'
import { Flag, Id, Timestamp, Url } from '../shapes.ts'

export const SiteVisibility = z.enum(siteVisibilities).meta({ id: 'SiteVisibility' })
export const SiteType = z
  .enum(['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'])
  .meta({ id: 'SiteType' })

export const Site = z
  .object({
    object: z.literal('site'),
    id: Id,
    type: SiteType,
    /** What is in force; here always what was chosen. */
    appliedType: SiteType,
    title: z.string(),
    icon: z
      .object({ icon: z.object({ light: Url, dark: Url }).optional(), emoji: z.string().optional() })
      .nullable()
      .optional(),
    hostname: z.string().optional(),
    /** Asked for and not proved yet; `GET /v1/custom-hostnames/{hostname}` says how it is. */
    pendingHostname: z.string().optional(),
    basename: z.string().optional(),
    proxy: z.object({ origin: z.string(), target: z.string() }).optional(),
    visibility: SiteVisibility,
    published: Flag,
    siteSpaces: z.number().int(),
    createdAt: Timestamp,
    adaptiveContent: z.object({ enabled: Flag }),
    ads: z.object({ status: z.literal('disabled'), submittable: Flag }).optional(),
    agentsContext: z.enum(['excluded', 'included']),
    features: z.array(
      z.object({ id: z.string(), plan: SiteType, frozen: Flag, customizations: z.array(z.string()).optional() }),
    ),
    /** What members of the organization have here: their role, always. */
    defaultLevel: z.literal('inherit'),
    urls: z.object({
      location: Url,
      app: Url,
      preview: Url.describe('Where a preview is made: `GET SITE/publishing/preview`.'),
      published: Url.optional(),
    }),
    permissions: z.object({
      view: Flag,
      access: Flag,
      edit: Flag,
      create: Flag,
      admin: Flag,
      viewAdaptiveSchema: Flag,
      editAdaptiveSchema: Flag,
      installIntegration: Flag,
    }),
  })
  .meta({ id: 'Site' })

const Published = z.object({ published: Url.optional() })

export const SiteSpace = z
  .object({
    object: z.literal('site-space'),
    id: Id,
    path: z.string(),
    section: Id.optional(),
    space: Space,
    title: z.string(),
    default: Flag,
    /** No place is kept from readers; a draft is a change request. */
    draft: Flag,
    condition: z.string().optional(),
    hasAdvancedCustomizationFeature: Flag,
    urls: Published,
  })
  .meta({ id: 'SiteSpace' })

export const SiteSection = z
  .object({
    object: z.literal('site-section'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    default: Flag,
    path: z.string(),
    condition: z.string().optional(),
    sectionGroup: Id.optional(),
    siteSpaces: z.array(SiteSpace),
    draft: Flag,
    urls: Published,
    icon: z.string().optional(),
  })
  .meta({ id: 'SiteSection' })

export const SiteSectionGroup = z
  .object({
    object: z.literal('site-section-group'),
    id: Id,
    title: z.string(),
    icon: z.string().optional(),
    draft: Flag,
    sections: z.array(SiteSection),
    /** The same: groups stand in no other group. */
    children: z.array(SiteSection),
  })
  .meta({ id: 'SiteSectionGroup' })

/** The whole navigation: sections (some in groups), or spaces directly while there are no sections. */
export const SiteStructure = z
  .union([
    z.object({ type: z.literal('sections'), structure: z.array(z.union([SiteSection, SiteSectionGroup])) }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace) }),
  ])
  .meta({ id: 'SiteStructure' })

export const ShareLink = z
  .object({
    object: z.literal('share-link'),
    id: Id,
    createdAt: Timestamp,
    name: z.string().optional(),
    active: Flag,
    urls: Published,
  })
  .meta({ id: 'ShareLink' })

export const ShareKey = {
  shareKey: z.string().max(512).optional().describe('Resolves published addresses of sites behind a share link.'),
}

/** Who reads a published site: what its key vouches for, and what the reader says of themselves. */
export const Visitor = z
  .object({
    type: z.enum(['human', 'agent']).optional().describe('Makes no difference.'),
    jwtToken: z.string().max(32_768).optional(),
    unsignedClaims: z.record(z.string().max(100), z.unknown()).optional(),
  })
  .meta({ id: 'SiteVisitor' })

export const Condition = z
  .string()
  .min(1)
  .max(1024)
  .nullable()
  .optional()
  .describe('An expression that decides whether a visitor sees it. Left out keeps it, null removes it.')
export const Icon = z.string().max(50)
/** The special files of sites, which are met before anything else; `site/serve/routes.ts` has them. */
const taken = /^(?:favicon\.ico|robots\.txt|sitemap(?:-[1-9]\d{0,3})?\.xml|sitemap\.md|llms(?:-full)?\.txt|rss\.xml)$/
export const SitePath = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u, 'must be letters and digits with single hyphens between')
  .refine((path) => !taken.test(path), 'is the path of a file that every site has, such as robots.txt')
export const Hostname = z
  .string()
  .max(512)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a host name such as docs.example.org',
  )
