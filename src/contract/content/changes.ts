/** What differs between two revisions, down to the blocks and words of a page. */
import { z } from 'zod'
import { NodeShape as Node, WordChangeShape } from '../../core/diff/word-change.ts'
import { blockChangeKinds } from '../../core/enumerations.ts'
import { Change } from './space-content.ts'

const Kind = z.enum(blockChangeKinds)

export const BlockChange = z
  .object({
    kind: Kind.describe('A block that was moved and changed is `moved`, with what changed in it.'),
    key: z.string().optional(),
    type: z.string(),
    before: Node.optional().describe('The block as it was, where nothing finer is told.'),
    after: Node.optional().describe(
      'The block as it is, where nothing finer is told; also of unchanged words beside a change.',
    ),
    fields: z.array(z.string()).optional().describe('Names of the fields of its data that changed, and `type`.'),
    words: z.array(WordChangeShape).optional(),
    get children() {
      return z.array(BlockChange).optional()
    },
    get parts() {
      return z.array(z.object({ part: z.string(), children: z.array(BlockChange) })).optional()
    },
    get table() {
      return TableChange.optional()
    },
  })
  .meta({ id: 'BlockChange' })

const CellChange = z.object({
  kind: Kind,
  column: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  get children() {
    return z.array(BlockChange).optional()
  },
})

const TableChange = z.object({
  columns: z.array(z.object({ kind: Kind, id: z.string(), title: z.string() })),
  rows: z.array(z.object({ kind: Kind, id: z.string(), cells: z.array(CellChange) })),
})

export const DetailedChange = Change.extend({
  blocks: z.array(BlockChange).optional().describe('Of an edited page or reusable content, when asked for.'),
}).meta({ id: 'DetailedChange' })
