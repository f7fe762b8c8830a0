/** A long text document as several pages: one for each first-level heading, and one for what stands before them. */
import { inlineText } from '../document/text/to-text.ts'
import { makeDocument } from '../document/tree/make.ts'
import type { Block, JSONDocument } from '../document/tree/nodes.ts'
import { mapRefs } from '../document/tree/refs.ts'
import { slugify } from '../text.ts'

export interface Part {
  title: string
  /** Unique among the parts. */
  name: string
  document: JSONDocument
}

/** The document before its first heading, and its parts; no parts when it has fewer than two. */
export function splitByHeadings(
  document: JSONDocument,
  pathOf: (name: string) => string,
): { front: JSONDocument; parts: Part[] } {
  const starts = document.nodes.flatMap((node, at) => (node.type === 'heading-1' ? [at] : []))
  if (starts.length < 2) return { front: document, parts: [] }
  const used = new Set<string>()
  const homes = new Map<string, string>()
  const cut = starts.map((from, at) => {
    const [head, ...nodes] = document.nodes.slice(from, starts[at + 1])
    const title = head?.type === 'heading-1' ? inlineText(head.nodes).trim() : ''
    const name = unique(slugify(title) || 'page', used)
    if (head?.type === 'heading-1' && head.data.id !== undefined) homes.set(head.data.id, pathOf(name))
    for (const id of idsIn(nodes)) homes.set(id, `${pathOf(name)}#${id}`)
    return { title: title || 'Page', name, nodes }
  })
  const linked = (nodes: Block[]): JSONDocument =>
    mapRefs(makeDocument(nodes.map(raise)), (ref) => {
      const home = ref.kind === 'anchor' && ref.page === undefined ? homes.get(ref.anchor) : undefined
      return home === undefined ? ref : { kind: 'url', url: `/${home}` }
    })
  return {
    front: linked(document.nodes.slice(0, starts[0])),
    parts: cut.map(({ title, name, nodes }) => ({ title, name, document: linked(nodes) })),
  }
}

const idsIn = (nodes: readonly Block[]): string[] =>
  nodes.flatMap((node) =>
    (node.type === 'heading-2' || node.type === 'heading-3') && node.data.id !== undefined ? [node.data.id] : [],
  )

/** Below a page of its own, what was a second-level heading is a first-level one. */
function raise(node: Block): Block {
  if (node.type === 'heading-2') return { ...node, type: 'heading-1' }
  return node.type === 'heading-3' ? { ...node, type: 'heading-2' } : node
}

function unique(name: string, used: Set<string>): string {
  let free = name
  for (let n = 1; used.has(free); n++) free = `${name}-${n}`
  used.add(free)
  return free
}
