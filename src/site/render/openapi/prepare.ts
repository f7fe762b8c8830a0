/**
 * What takes time for a block that shows a part of a spec, done before the page is written: references are followed, the
 * Markdown of descriptions is read, code is made. Between two blocks others have their turn.
 */
import { setImmediate as breath } from 'node:timers/promises'
import { fromMarkdown } from '../../../core/document/read/from-markdown.ts'
import { code as codeBlock, paragraph } from '../../../core/document/tree/make.ts'
import type { Block, Code, Node } from '../../../core/document/tree/nodes.ts'
import { type OperationView, viewOperation } from '../../../core/openapi/operation-view.ts'
import { operationKey, type SpecPart } from '../../../core/openapi/part.ts'
import { newBudget, type SchemaView, viewSchema } from '../../../core/openapi/schema-view.ts'

export type SpecBlock = Extract<Node, { type: 'swagger' | 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas' }>

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

export const isSpecBlock = (node: Node): node is SpecBlock =>
  node.object === 'block' && ['swagger', 'openapi-operation', 'openapi-webhook', 'openapi-schemas'].includes(node.type)

/** How many fields a page shows in all: more would be a page that nobody waits for. */
const fieldsOnPage = 3_000
const mostFields = 600

export async function prepareSpec(
  block: SpecBlock,
  part: SpecPart,
  blocksOnPage: number,
): Promise<PreparedSpec | undefined> {
  await breath()
  const fields = Math.max(60, Math.min(mostFields, Math.round(fieldsOnPage / blocksOnPage)))
  if (block.type === 'openapi-schemas') {
    const budget = { ...newBudget(fieldsOnPage), isShallow: block.data.schemas.length > 5 }
    const schemas = block.data.schemas.flatMap((name) =>
      Object.hasOwn(part.schemas, name) ? [{ name, view: viewSchema(part, part.schemas[name], budget) }] : [],
    )
    return { kind: 'schemas', schemas, texts: await textsOf(schemas.map(({ view }) => view)) }
  }
  const isWebhook = block.type === 'openapi-webhook'
  const path = isWebhook ? block.data.name : block.data.path
  const method = block.data.method
  const key = operationKey(method, path)
  const operation = isWebhook ? part.webhooks[key] : part.operations[key]
  if (operation === undefined) return undefined
  const view = viewOperation(part, operation, { method, path, isWebhook }, newBudget(fields))
  const isHidden = operation['x-hideTryItPanel'] === true || part.hidesTry === true
  return {
    kind: 'operation',
    view,
    tryIt: !isWebhook && !isHidden && view.servers.length > 0,
    texts: await textsOf(view),
    codes: codesOf(view),
  }
}

/** Plain words need no reader of Markdown, and most descriptions of fields are plain words. */
const markup = /[\n*_[\]<`|{&!~:@\\#]|https?:|^\s*(?:[-+>]|\d+[.)])\s/
const longest = 50_000
const atOnce = 40

async function textsOf(value: unknown): Promise<Texts> {
  const found = new Set<string>()
  const visit = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return
    if ('description' in item && typeof item.description === 'string') found.add(item.description)
    for (const below of Object.values(item)) visit(below)
  }
  visit(value)
  const texts = new Map<string, Block[]>()
  let read = 0
  for (const text of found) {
    if (!markup.test(text)) {
      texts.set(text, text.trim() === '' ? [] : [paragraph(text)])
      continue
    }
    texts.set(text, fromMarkdown(text.slice(0, longest)).document.nodes)
    read += 1
    if (read % atOnce === 0) await breath()
  }
  return texts
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
