/**
 * What takes time for a block that shows a part of a spec, done before the page is written: references are followed, the
 * Markdown of descriptions is read, code is made. It belongs into a thread (render/aside.ts).
 */

import { type Cache, type Caches, decodedBytes, defineCache } from '../../../core/caches.ts'
import { fromMarkdown } from '../../../core/document/read/from-markdown.ts'
import { code as codeBlock, paragraph } from '../../../core/document/tree/make.ts'
import type { Block, Code } from '../../../core/document/tree/nodes.ts'
import { type SpecBlock, sourceOf, viewBlock } from '../../../core/openapi/block-view.ts'
import type { OperationView } from '../../../core/openapi/operation-view.ts'
import type { SpecPart } from '../../../core/openapi/part.ts'
import type { SchemaView } from '../../../core/openapi/schema-view.ts'
import { cutTo } from '../../../core/text.ts'

export interface PreparedOperation {
  kind: 'operation'
  view: OperationView
  /** Whether the browser may call it from the page. */
  tryIt: boolean
  texts: Texts
  /** The code of samples and examples, by its text. */
  codes: ReadonlyMap<string, Code>
}
export interface PreparedSchemas {
  kind: 'schemas'
  schemas: { name: string; view: SchemaView }[]
  texts: Texts
}
export type PreparedSpec = PreparedOperation | PreparedSchemas

/** Markdown by its text, as blocks. */
export type Texts = ReadonlyMap<string, Block[]>

export function prepareSpec(
  caches: Caches,
  block: SpecBlock,
  part: SpecPart,
  blocksOnPage: number,
): PreparedSpec | undefined {
  const known = textsIn(caches)
  const shown = viewBlock(sourceOf(part), block, blocksOnPage)
  if (shown === undefined) return undefined
  if (shown.kind === 'schemas')
    return {
      ...shown,
      texts: textsOf(
        known,
        shown.schemas.map(({ view }) => view),
      ),
    }
  return { ...shown, texts: textsOf(known, shown.view), codes: codesOf(shown.view) }
}

/** Plain words need no reader of Markdown, and most descriptions of fields are plain words. */
const markup = /[\n*_[\]<`|{&!~:@\\#]|https?:|^\s*(?:[-+>]|\d+[.)])\s/
const longest = 50_000

/** The pages of a spec say much the same: what one has read, the next need not. */
const textsIn = defineCache<Block[]>('descriptions of specs', { share: 0.014 })

function textsOf(known: Cache<Block[]>, value: unknown): Texts {
  const found = new Set<string>()
  const visit = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return
    if ('description' in item && typeof item.description === 'string') found.add(item.description)
    for (const below of Object.values(item)) visit(below)
  }
  visit(value)
  return new Map([...found].map((text) => [text, blocksOf(known, text)]))
}

function blocksOf(known: Cache<Block[]>, text: string): Block[] {
  if (!markup.test(text)) return text.trim() === '' ? [] : [paragraph(text)]
  const before = known.get(text)
  if (before) return before
  const blocks = fromMarkdown(cutTo(text, longest), { isPart: true }).document.nodes
  known.set(text, blocks, decodedBytes(JSON.stringify(blocks).length))
  return blocks
}

function codesOf(view: OperationView): Map<string, Code> {
  const bodies = [...(view.body?.contents ?? []), ...view.responses.flatMap(({ contents }) => contents)]
  const examples = bodies.flatMap(({ examples }) => examples)
  return new Map(
    [
      ...view.samples.map(({ code, syntax }) => [code, syntax] as const),
      ...examples.map(({ text, syntax }) => [text, syntax] as const),
    ].map(([text, syntax]) => [text, codeBlock(text, { syntax, overflow: 'wrap' })]),
  )
}
