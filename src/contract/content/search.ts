/** What a search answers with: pages, and in each the sections that match. */
import { z } from 'zod'
import { Id, P, Url } from '../shapes.ts'

const SearchSection = z
  .object({
    id: z.string(),
    title: z.string(),
    path: z.string(),
    body: z.string(),
    highlights: z
      .array(z.tuple([z.number().int(), z.number().int()]))
      .optional()
      .describe('Where in `body` the words stand.'),
    urls: z.object({ app: Url }),
  })
  .meta({ id: 'SearchSection' })

export const SearchPage = z
  .object({
    id: Id,
    title: z.string(),
    path: z.string(),
    space: Id.optional().describe('In the search of a site, the space that the page is of.'),
    sections: z.array(SearchSection),
    urls: z.object({ app: Url }),
  })
  .meta({ id: 'SearchPage' })

export const SearchQuery = { ...P, query: z.string().min(1).max(512) }
