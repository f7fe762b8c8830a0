/** What a visitor's token admits to, told to whoever signs such tokens. Beyond the specification. */
import { z } from 'zod'
import { Id, Timestamp } from '../shapes.ts'

export const TokenCheck = z.object({
  token: z.string().max(100_000),
  unsignedClaims: z.record(z.string(), z.unknown()).optional().describe('What the visitor would say of themselves.'),
})

export const VisitorTokenCheck = z
  .object({
    object: z.literal('visitor-token-check'),
    accepted: z.boolean().describe('Whether the token is one of this site’s visitors.'),
    reason: z.string().optional().describe('Why it is not.'),
    expiresAt: Timestamp.optional(),
    admitted: z
      .boolean()
      .describe('Whether whoever comes with it is let in; a site for everyone lets in without one, too.'),
    claims: z.record(z.string(), z.unknown()).describe('What conditions find in `visitor.claims`.'),
    ignored: z
      .array(z.string())
      .describe('Claims of the token that conditions do not find: not declared, or of another kind.'),
    items: z
      .array(
        z.object({
          object: z.enum(['site-section', 'site-space']),
          id: Id,
          title: z.string(),
          path: z.string(),
          condition: z.string().optional(),
          shown: z.boolean(),
        }),
      )
      .describe('Sections and spaces of the site, and which of them the visitor sees.'),
  })
  .meta({ id: 'VisitorTokenCheck' })
