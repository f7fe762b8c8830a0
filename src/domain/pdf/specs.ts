/** What the blocks of a page show of specs, written out for paper: operations and models in full. */
import { fromMarkdown } from '../../core/document/read/from-markdown.ts'
import type { Block, JSONDocument } from '../../core/document/tree/nodes.ts'
import { viewOperation } from '../../core/openapi/operation-view.ts'
import { operationKey, type SpecPart } from '../../core/openapi/part.ts'
import { printModel, printOperation } from '../../core/openapi/print.ts'
import { newBudget, viewSchema } from '../../core/openapi/schema-view.ts'
import { Turns } from '../../store/turns.ts'
import { shownSpecs, specBlocksIn } from '../openapi/shown.ts'
import type { Base } from '../scope.ts'

/** Fields that an operation shows in all. */
const mostFields = 300

export async function withSpecs(
  base: Pick<Base, 'db' | 'env'>,
  space: { id: string; organizationId: string },
  document: JSONDocument,
): Promise<JSONDocument> {
  if (specBlocksIn(document).length === 0) return document
  const parts = new Map(
    (await shownSpecs(base, space, document)).map(({ ref, part }) => [JSON.stringify(ref), part] as const),
  )
  const turns = new Turns()
  const nodes: Block[] = []
  for (const node of document.nodes) {
    await turns.next()
    const written = writtenOut(node, parts)
    nodes.push(...(written === undefined ? [node] : fromMarkdown(written).document.nodes))
  }
  return { ...document, nodes }
}

function writtenOut(block: Block, parts: ReadonlyMap<string, SpecPart>): string | undefined {
  switch (block.type) {
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-webhook': {
      const part = parts.get(JSON.stringify(block.data.ref))
      const isWebhook = block.type === 'openapi-webhook'
      const path = isWebhook ? block.data.name : block.data.path
      const { method } = block.data
      const operation = (isWebhook ? part?.webhooks : part?.operations)?.[operationKey(method, path)]
      if (!part || !operation) return undefined
      return printOperation(viewOperation(part, operation, { method, path, isWebhook }, newBudget(mostFields)))
    }
    case 'openapi-schemas': {
      const part = parts.get(JSON.stringify(block.data.ref))
      const known = block.data.schemas.filter((name) => part && Object.hasOwn(part.schemas, name))
      if (!part || known.length === 0) return undefined
      return known
        .map((name) => printModel(name, viewSchema(part, part.schemas[name], newBudget(mostFields))))
        .join('\n')
    }
    default:
      return undefined
  }
}
