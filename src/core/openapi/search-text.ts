/** What a block that shows a spec is found by: names, addresses and descriptions, not all that stands below them. */

import { slugOf } from '../document/text/anchors.ts'
import { cutTo } from '../text.ts'
import type { BlockSource, SpecBlock } from './block-view.ts'
import { type ContentView, type OperationView, viewOperation } from './operation-view.ts'
import { operationKey } from './part.ts'
import { newBudget, type SchemaView, viewSchema } from './schema-view.ts'

export interface SpecSection {
  anchor: string
  title: string
  body: string
}

const fieldsOfOperation = 60
const fieldsOfSchema = 30
const mostSchemas = 1_000
const longestBody = 20_000

export function searchSections(source: BlockSource, block: SpecBlock): SpecSection[] {
  if (block.type === 'openapi-schemas')
    return block.data.schemas.slice(0, mostSchemas).flatMap((name) => {
      const schema = source.schema(name)
      if (schema === undefined) return []
      const view = viewSchema(source, schema, { ...newBudget(fieldsOfSchema), isShallow: true })
      return [sectionOf(slugOf(name), name, [view.description, ...fieldLines(view)])]
    })
  const isWebhook = block.type === 'openapi-webhook'
  const path = isWebhook ? block.data.name : block.data.path
  const { method } = block.data
  const key = operationKey(method, path)
  const operation = isWebhook ? source.webhook(key) : source.operation(key)
  if (operation === undefined) return []
  const budget = { ...newBudget(fieldsOfOperation), isShallow: true }
  const view = viewOperation(source, operation, { method, path, isWebhook }, budget)
  return [sectionOf(anchorOf(view), view.summary ?? view.id ?? path, linesOf(view))]
}

/** As the page writes it: site/render/openapi/operation.ts. */
export const anchorOf = ({ id, method, path }: Pick<OperationView, 'id' | 'method' | 'path'>): string =>
  slugOf(id ?? `${method} ${path}`)

const linesOf = (view: OperationView): (string | undefined)[] => [
  `${view.method.toUpperCase()} ${view.path}`,
  view.id,
  view.description,
  ...view.parameters.map(({ name, description, schema }) => `${name} ${description ?? schema.description ?? ''}`),
  ...(view.body?.contents ?? []).slice(0, 1).flatMap(contentLines),
  ...view.responses.flatMap(({ description, contents }) => [
    description,
    ...contents.slice(0, 1).flatMap(contentLines),
  ]),
  ...view.callbacks.flatMap(({ name, summary, description }) => [name, summary, description]),
]

const contentLines = ({ schema }: ContentView): string[] => (schema ? fieldLines(schema) : [])

const fieldLines = ({ fields, items }: SchemaView): string[] => [
  ...(fields ?? []).map(({ name, schema }) => `${name} ${schema.description ?? ''}`),
  ...(items ? fieldLines(items) : []),
]

const sectionOf = (anchor: string, title: string, lines: readonly (string | undefined)[]): SpecSection => ({
  anchor,
  title,
  body: cutTo([...new Set(lines.flatMap((line) => (line ? [plain(line)] : [])))].join('\n'), longestBody),
})

/** Markdown and HTML without their signs: a description is searched by its words. */
const plain = (text: string): string =>
  cutTo(text, longestBody)
    .replace(/<[a-z/!][^<>]{0,500}>/gi, ' ')
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/[*`#|]+/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
