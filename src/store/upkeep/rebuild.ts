/** Every space, in pages, for what is derived from their content. */
import { all } from '../query.ts'

export const listSpaceIds = all((b, p: { after: string; limit: number }) =>
  b.selectFrom('space').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit),
)
