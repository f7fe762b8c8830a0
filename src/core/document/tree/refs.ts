/**
 * References: how a stored reference is spelt as a link target, how a target is read back, and which references a
 * document holds.
 *
 * Without a resolver, every kind has a spelling of its own (`/pages/<id>`, `/files/<id>`, `#anchor` …), so that a
 * document alone can be printed and read again. Any other target is a URL, relative ones too.
 */
import type { BlockType, ContentRef, InlineType, JSONDocument, Node, Table, TableRecord, TableValue } from './nodes.ts'
import { childrenOf, mapChildren } from './walk.ts'

export type FoundRef = { ref: ContentRef; nodeKey: string | undefined }

/** The reference as a link target. */
export function printRef(ref: ContentRef): string {
  switch (ref.kind) {
    case 'url':
      return ref.url
    case 'anchor':
      return `${ref.page === undefined ? inSpace(ref.space) : `${inSpace(ref.space)}/pages/${ref.page}`}#${ref.anchor}`
    case 'page':
      return `${inSpace(ref.space)}/pages/${ref.page}`
    case 'file':
      return `${inSpace(ref.space)}/files/${ref.file}`
    case 'reusable-content':
      return `${inSpace(ref.space)}/reusable-content/${ref.reusableContent}`
    case 'tag':
      return `${inSpace(ref.space)}/tags/${ref.tag}`
    case 'space':
      return `/spaces/${ref.space}`
    case 'user':
      return `/users/${ref.user}`
    case 'collection':
      return `/collections/${ref.collection}`
    case 'openapi':
      return `/openapi/${ref.spec}`
  }
}

/** The reference a link target spells. */
export function parseRef(target: string): ContentRef {
  const match = spelling.exec(target)
  if (match === null) return { kind: 'url', url: target }
  const [, space, kind, id, anchor] = match
  const within = space === undefined ? {} : { space }
  if (anchor !== undefined) {
    if (kind === undefined) return { kind: 'anchor', anchor, ...within }
    return kind === 'pages' && id ? { kind: 'anchor', anchor, page: id, ...within } : { kind: 'url', url: target }
  }
  if (id === undefined) return space === undefined ? { kind: 'url', url: target } : { kind: 'space', space }
  return refOfKind(kind ?? '', id, space) ?? { kind: 'url', url: target }
}

/** A URL that can be a link: no control characters, and no scheme that runs or carries code. */
export function isSafeUrl(url: string): boolean {
  return !/[\u0000-\u001f\u007f-\u009f]/.test(url) && !/^\s*(?:javascript|vbscript|data)\s*:/i.test(url)
}

export function collectRefs(document: JSONDocument): FoundRef[] {
  const found: FoundRef[] = []
  const visit = (node: Node): void => {
    for (const ref of refsOf(node)) found.push({ ref, nodeKey: node.object === 'fragment' ? undefined : node.key })
    childrenOf(node).forEach(visit)
  }
  document.nodes.forEach(visit)
  return found
}

/** A copy of the document with every reference replaced by what `change` makes of it. */
export function mapRefs(document: JSONDocument, change: (ref: ContentRef) => ContentRef): JSONDocument {
  const visit = (node: Node): Node => mapChildren(withRefs(node, change), visit)
  return mapChildren(document, visit)
}

/** The references a node itself holds, not those of its children. */
export function refsOf(node: Node): ContentRef[] {
  if (node.object === 'text' || node.object === 'fragment') return []
  if (node.type === 'table') return tableRefs(node)
  if (node.type === 'update') return node.data.tags ?? []
  const found: ContentRef[] = []
  if ('ref' in node.data && node.data.ref !== undefined) found.push(node.data.ref)
  if ('refDark' in node.data && node.data.refDark !== undefined) found.push(node.data.refDark)
  return found
}

export function isRef(value: TableValue | undefined): value is ContentRef {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'kind' in value
}

/** The ids in a files cell are references as well; what is no id there is a URL. */
export function fileValueRef(value: string): ContentRef {
  return /^[\w-]+$/.test(value) ? { kind: 'file', file: value } : { kind: 'url', url: value }
}

const inSpace = (space: string | undefined): string => (space === undefined ? '' : `/spaces/${space}`)
const spelling =
  /^(?:\/spaces\/([^\s/#?]+))?(?:\/(pages|files|reusable-content|tags|users|collections|openapi)\/([^\s/#?]+))?(?:#(\S+))?$/u

function refOfKind(kind: string, id: string, space: string | undefined): ContentRef | undefined {
  const within = space === undefined ? {} : { space }
  if (kind === 'pages') return { kind: 'page', page: id, ...within }
  if (kind === 'files') return { kind: 'file', file: id, ...within }
  if (kind === 'reusable-content') return { kind: 'reusable-content', reusableContent: id, ...within }
  if (kind === 'tags') return { kind: 'tag', tag: id, ...within }
  if (space !== undefined) return undefined
  if (kind === 'users') return { kind: 'user', user: id }
  if (kind === 'collections') return { kind: 'collection', collection: id }
  return { kind: 'openapi', spec: id }
}

function tableRefs(table: Table): ContentRef[] {
  const found: ContentRef[] = []
  for (const row of Object.values(table.data.records)) {
    for (const [id, value] of Object.entries(row.values)) {
      if (isRef(value)) found.push(value)
      else if (typeof value === 'object' && value !== null && 'ref' in value) found.push(value.ref)
      else if (Array.isArray(value) && table.data.definition[id]?.type === 'files')
        found.push(...value.map(fileValueRef))
    }
  }
  return found
}

/** The node with its own references replaced, not those of its children. */
export function withRefs(node: Node, change: (ref: ContentRef) => ContentRef): Node {
  if (node.object === 'text' || node.object === 'fragment') return node
  if (node.type === 'table') {
    const records = mapTableRefs(node, change)
    return records === node.data.records ? node : { ...node, data: { ...node.data, records } }
  }
  const kinds = refKinds[node.type]
  const changeRef = (ref: ContentRef): ContentRef => {
    const next = change(ref)
    return kinds === undefined || kinds.includes(next.kind) ? next : ref
  }
  const { data } = node
  const ref = 'ref' in data && data.ref !== undefined ? changeRef(data.ref) : undefined
  const refDark = 'refDark' in data && data.refDark !== undefined ? changeRef(data.refDark) : undefined
  const tags = 'tags' in data && data.tags !== undefined ? data.tags.map(changeRef) : undefined
  const isSame =
    tags === undefined &&
    (ref === undefined || ('ref' in data && data.ref === ref)) &&
    (refDark === undefined || ('refDark' in data && data.refDark === refDark))
  if (isSame) return node
  const changed = {
    ...(ref === undefined ? {} : { ref }),
    ...(refDark === undefined ? {} : { refDark }),
    ...(tags === undefined ? {} : { tags }),
  }
  return Object.assign({ ...node }, { data: { ...data, ...changed } })
}

/** The nodes that cannot hold every kind of reference: a change to another kind is not made. */
const files = ['file', 'url'] as const
const specs = ['openapi', 'url'] as const
const refKinds: Readonly<Partial<Record<BlockType | InlineType, readonly ContentRef['kind'][]>>> = {
  image: files,
  'inline-image': files,
  file: files,
  drawing: files,
  swagger: files,
  'reusable-content': ['reusable-content', 'url'],
  'openapi-operation': specs,
  'openapi-schemas': specs,
  'openapi-webhook': specs,
  update: ['tag'],
}

/** Whether a node of this type can point at this. */
export const canRefer = (type: string, { kind }: ContentRef): boolean =>
  !isLimited(type) || refKinds[type]?.includes(kind) === true
const isLimited = (type: string): type is keyof typeof refKinds => Object.hasOwn(refKinds, type)

function mapTableRefs(table: Table, change: (ref: ContentRef) => ContentRef): Table['data']['records'] {
  const changeValue = (id: string, value: TableValue): TableValue => {
    if (isRef(value)) {
      const next = change(value)
      return table.data.definition[id]?.type === 'image' && next.kind !== 'file' && next.kind !== 'url' ? value : next
    }
    if (typeof value === 'object' && value !== null && 'ref' in value) {
      const ref = change(value.ref)
      return ref.kind === 'file' || ref.kind === 'url' ? { ...value, ref } : value
    }
    if (!Array.isArray(value) || table.data.definition[id]?.type !== 'files') return value
    return value.map((file) => {
      const ref = change(fileValueRef(file))
      return ref.kind === 'file' ? ref.file : ref.kind === 'url' ? ref.url : file
    })
  }
  // Most tables hold nothing but words.
  if (!Object.values(table.data.records).some(mayHoldRefs)) return table.data.records
  const records: Table['data']['records'] = {}
  for (const [id, row] of Object.entries(table.data.records)) {
    const values = Object.entries(row.values).map(([name, value]) => [name, changeValue(name, value)] as const)
    records[id] = { ...row, values: Object.fromEntries(values) }
  }
  return records
}

function mayHoldRefs({ values }: TableRecord): boolean {
  for (const name in values) if (typeof values[name] === 'object') return true
  return false
}
