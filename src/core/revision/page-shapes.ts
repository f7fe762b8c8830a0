/** How a page is laid out, as the API takes it and as a revision keeps it. */
import { z } from 'zod'
import { FileRef, Flag } from '../shapes.ts'

/** What of itself a page shows. */
export const Layout = z.object({
  width: z.enum(['default', 'wide']),
  cover: Flag,
  coverSize: z.enum(['hero', 'full', 'background']),
  title: Flag,
  description: Flag,
  tableOfContents: Flag,
  outline: Flag,
  pagination: Flag,
  metadata: Flag,
  tags: Flag.describe('The tags below the title.'),
  actions: Flag.describe('The menu beside the title.'),
  anchors: Flag.describe('The links beside headings.'),
})

export const Cover = z.object({
  ref: FileRef.optional(),
  refDark: FileRef.optional(),
  yPos: z.number(),
  height: z.number().optional(),
})
