/** A stretch of words that both versions have, or that one has: as the API tells it, and as it is worked out here. */
import { z } from 'zod'
import type { Inline, Mark } from '../document/tree/nodes.ts'
import { wordChangeKinds } from '../enumerations.ts'

export const NodeShape = z.looseObject({ object: z.string() })

export const WordChangeShape = z.object({
  kind: z.enum(wordChangeKinds),
  text: z.string(),
  marks: z.array(NodeShape),
  inline: NodeShape.optional().describe('The inline that stands here whole, such as a link.'),
})

/** The nodes of a document are known here by their types; `text` is what an inline reads as. */
export type WordChange = Pick<z.output<typeof WordChangeShape>, 'kind' | 'text'> & { marks: Mark[]; inline?: Inline }
