/**
 * The pages that a spec makes: one that says what the API is, one for each tag with its operations or one for each operation
 * below it, one for the webhooks and one for the models. Each is an ordinary document, whose blocks name what they show.
 */

import type { ContentRefOf } from '../document/content-ref.ts'
import { heading, leaf, link, list, listItem, makeDocument, paragraph, text } from '../document/tree/make.ts'
import type { Block, JSONDocument } from '../document/tree/nodes.ts'
import { cutTo, slugify } from '../text.ts'
import type { IndexedOperation, SpecIndex } from './pack.ts'

export interface ComputedProps {
  models: boolean
  grouping: 'by-tag' | 'by-operation'
}

/** What a page is made of: the `props` that the API shows for it. */
export type ComputedDoc =
  | { doc: 'info'; page: string }
  | { doc: 'operations' | 'tag'; page: string }
  | { doc: 'operation'; page: string; method: string; deprecated?: true }
  | { doc: 'webhooks' }
  | { doc: 'models' }

export interface ComputedPage {
  /** Tells it from the others of the same spec, in every version that has it. */
  key: string
  title: string
  slug: string
  description?: string
  props: ComputedDoc
  pages: ComputedPage[]
}

const otherTag = 'Other'
const mostOnPage = 25

/** The pages below the one that stands for the spec. */
export function pagesOf(index: SpecIndex, { models, grouping }: ComputedProps): ComputedPage[] {
  const slugs = new Set<string>()
  const pages: ComputedPage[] = tagsOf(index).map(({ name, title }) => {
    const operations = operationsOf(index, name)
    const below = new Set<string>()
    // A page of hundreds of operations is one that nobody waits for.
    const isWhole = grouping === 'by-tag' && operations.length <= mostOnPage
    return {
      key: `tag ${name}`,
      title,
      slug: freeSlug(title, slugs),
      props: { doc: isWhole ? 'operations' : 'tag', page: name },
      pages: isWhole ? [] : operations.map((operation) => operationPage(operation, below)),
    }
  })
  if (index.webhooks.length > 0)
    pages.push({
      key: 'webhooks',
      title: 'Webhooks',
      slug: freeSlug('webhooks', slugs),
      props: { doc: 'webhooks' },
      pages: [],
    })
  if (models && index.schemas.length > 0)
    pages.push({ key: 'models', title: 'Models', slug: freeSlug('models', slugs), props: { doc: 'models' }, pages: [] })
  return pages
}

function operationPage(operation: IndexedOperation, slugs: Set<string>): ComputedPage {
  const title = titleOf(operation)
  return {
    key: keyOf(operation),
    title,
    slug: freeSlug(operation.id ?? title, slugs),
    props: {
      doc: 'operation',
      page: operation.path,
      method: operation.method,
      ...(operation.deprecated ? { deprecated: true as const } : {}),
    },
    pages: [],
  }
}

const keyOf = ({ method, path }: IndexedOperation): string => `operation ${method} ${path}`

const titleOf = ({ summary, id, method, path }: IndexedOperation): string =>
  cutTo((summary ?? id ?? `${method.toUpperCase()} ${path}`).replace(/\s+/g, ' ').trim(), 100) || path

/** In the order of the spec: those it lists, then those that only operations name. */
function tagsOf(index: SpecIndex): { name: string; title: string; description?: string }[] {
  const used = new Set(index.operations.flatMap(({ tags }) => tags.slice(0, 1)))
  const listed: SpecIndex['tags'] = index.tags.filter(({ name }) => used.has(name))
  const others = [...used].filter((name) => !listed.some((tag) => tag.name === name)).map((name) => ({ name }))
  const untagged = index.operations.some(({ tags }) => tags.length === 0) ? [{ name: '', title: otherTag }] : []
  const all: SpecIndex['tags'] = [...listed, ...others, ...untagged]
  return all.map((tag) => ({ ...tag, title: tag.title ?? titled(tag.name) }))
}

const titled = (name: string): string => cutTo(name.replace(/\s+/g, ' ').trim(), 100) || otherTag

/** An operation stands under its first tag: one place, one address. */
const operationsOf = (index: SpecIndex, tag: string): IndexedOperation[] =>
  index.operations.filter(({ tags }) => (tags[0] ?? '') === tag)

function freeSlug(text: string, taken: Set<string>): string {
  const wanted = slugify(text) || 'page'
  let slug = wanted
  for (let count = 1; taken.has(slug); count += 1) slug = `${wanted}-${count}`
  taken.add(slug)
  return slug
}

export interface DocumentTools {
  /** What `descriptionOf` says, as blocks. */
  about: readonly Block[]
  /** The id of the page with this key. */
  pageId: (key: string) => string
}

/** What a page shows. */
export function documentOf(
  index: SpecIndex,
  ref: ContentRefOf<'openapi'>,
  props: ComputedDoc,
  { about, pageId }: DocumentTools,
): JSONDocument {
  switch (props.doc) {
    case 'info':
      return makeDocument([...about, ...serversOf(index)])
    case 'operations':
      return makeDocument([
        ...about,
        ...operationsOf(index, props.page).map((operation) => operationBlock(operation, ref)),
      ])
    case 'tag':
      return makeDocument([
        ...about,
        list(
          'list-unordered',
          operationsOf(index, props.page).map((operation) => listItem([operationLine(operation, pageId)])),
        ),
      ])
    case 'operation':
      return makeDocument([operationBlock({ method: props.method, path: props.page }, ref, true)])
    case 'webhooks':
      return makeDocument(index.webhooks.map(({ name, method }) => voidBlock('openapi-webhook', { name, method, ref })))
    case 'models':
      return makeDocument([voidBlock('openapi-schemas', { schemas: index.schemas, ref, grouped: true })])
  }
}

const longestText = 100_000

/** The Markdown that a page begins with. */
export function descriptionOf(index: SpecIndex, props: ComputedDoc): string | undefined {
  const description =
    props.doc === 'info'
      ? index.description
      : props.doc === 'operations' || props.doc === 'tag'
        ? index.tags.find(({ name }) => name === props.page)?.description
        : undefined
  return description === undefined ? undefined : cutTo(description, longestText)
}

/** Leads to the page of the operation. */
function operationLine(operation: IndexedOperation, pageId: DocumentTools['pageId']): Block {
  const title = titleOf(operation)
  const call = `${operation.method.toUpperCase()} ${operation.path}`
  const led = link({ kind: 'page', page: pageId(keyOf(operation)) }, [text(title)])
  if (title === call) return paragraph([led])
  return paragraph([led, { object: 'text', leaves: [leaf(' '), leaf(call, [{ object: 'mark', type: 'code' }])] }])
}

function serversOf({ servers, version }: SpecIndex): Block[] {
  const lines = servers.flatMap(({ url }) => (typeof url === 'string' && url !== '' ? [url] : []))
  return [
    ...(version === '' ? [] : [paragraph(`Version ${version}`)]),
    ...(lines.length === 0 ? [] : [heading('heading-1', 'Servers'), ...lines.map((line) => paragraph(line))]),
  ]
}

const operationBlock = (
  { method, path }: { method: string; path: string },
  ref: ContentRefOf<'openapi'>,
  headless = false,
): Block => voidBlock('openapi-operation', { method, path, ref, ...(headless ? { headless } : {}) })

type VoidBlock = Extract<Block, { type: 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas' }>

function voidBlock<T extends VoidBlock['type']>(type: T, data: Extract<VoidBlock, { type: T }>['data']): Block {
  return { object: 'block', type, isVoid: true, data } as Extract<VoidBlock, { type: T }>
}
