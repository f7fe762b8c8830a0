/**
 * What a block shows of a spec. Whoever takes a part out of a spec and whoever shows the part ask here, so that the part holds
 * what is shown and nothing else.
 */
import type { Node } from '../document/tree/nodes.ts'
import type { Json, JsonObject } from './json.ts'
import { type OperationView, viewOperation } from './operation-view.ts'
import { operationKey, type SpecPart, type SpecSource } from './part.ts'
import { newBudget, type SchemaView, viewSchema } from './schema-view.ts'

export type SpecBlock = Extract<Node, { type: 'swagger' | 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas' }>

const types = ['swagger', 'openapi-operation', 'openapi-webhook', 'openapi-schemas']

export const isSpecBlock = (node: Node): node is SpecBlock => node.object === 'block' && types.includes(node.type)

export interface BlockSource extends SpecSource {
  operation(key: string): JsonObject | undefined
  webhook(key: string): JsonObject | undefined
  schema(name: string): Json | undefined
}

/** A part, to be read like the spec it was taken from. */
export function sourceOf(part: SpecPart): BlockSource {
  const ownOf = <Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined =>
    Object.hasOwn(values, key) ? values[key] : undefined
  return {
    ...part,
    operation: (key) => ownOf(part.operations, key),
    webhook: (key) => ownOf(part.webhooks, key),
    schema: (name) => ownOf(part.schemas, name),
    readRef: (ref) => ownOf(part.refs, ref),
  }
}

export type BlockView =
  | { kind: 'operation'; view: OperationView; tryIt: boolean }
  | { kind: 'schemas'; schemas: { name: string; view: SchemaView }[] }

/** How many fields a page shows in all: more would be a page that nobody waits for. */
const fieldsOnPage = 3_000
const mostFields = 600

/** `blocksOnPage` share what the page may show. */
export function viewBlock(source: BlockSource, block: SpecBlock, blocksOnPage: number): BlockView | undefined {
  if (block.type === 'openapi-schemas') {
    const budget = { ...newBudget(fieldsOnPage), isShallow: block.data.schemas.length > 5 }
    const schemas = block.data.schemas.flatMap((name) => {
      const schema = source.schema(name)
      return schema === undefined ? [] : [{ name, view: viewSchema(source, schema, budget) }]
    })
    return schemas.length === 0 ? undefined : { kind: 'schemas', schemas }
  }
  const isWebhook = block.type === 'openapi-webhook'
  const path = isWebhook ? block.data.name : block.data.path
  const { method } = block.data
  const operation = isWebhook
    ? source.webhook(operationKey(method, path))
    : source.operation(operationKey(method, path))
  if (operation === undefined) return undefined
  const fields = Math.max(60, Math.min(mostFields, Math.round(fieldsOnPage / blocksOnPage)))
  const view = viewOperation(source, operation, { method, path, isWebhook }, newBudget(fields))
  const isHidden = operation['x-hideTryItPanel'] === true || source.hidesTry === true
  return { kind: 'operation', view, tryIt: !isWebhook && !isHidden && view.servers.length > 0 }
}
