/**
 * Nodes of a content that is still being worked on. A batch of fifty changes passes through fifty contents of which one
 * counts: here a new node is kept by a number, and only what the finished content hangs on is hashed, by `seal`.
 */
import type { Content } from './content.ts'
import type { Child, MapNode, MapRef, NodeStore } from './map.ts'

export interface DraftNodes extends NodeStore {
  /** The same content, with its nodes in the store below. */
  seal(content: Content): Content
}

export function draftNodes(store: NodeStore): DraftNodes {
  const drafts = new Map<string, MapNode<unknown>>()
  const hashes = new Map<string, string>()
  const draftOf = <V>(hash: string) => drafts.get(hash) as MapNode<V> | undefined

  const sealed = (hash: string): string => {
    const node = drafts.get(hash)
    if (node === undefined) return hash
    const known = hashes.get(hash)
    if (known !== undefined) return known
    const real = store.save(node.level === 0 ? node : { ...node, values: (node.values as Child[]).map(sealedRef) })
    hashes.set(hash, real)
    return real
  }
  const sealedRef = <Of extends Child>(ref: Of): Of => (drafts.has(ref.hash) ? { ...ref, hash: sealed(ref.hash) } : ref)
  const seal = (root: MapRef): MapRef => sealedRef(root)

  return {
    load: async <V>(hash: string) => draftOf<V>(hash) ?? store.load<V>(hash),

    peek: <V>(hash: string) => draftOf<V>(hash) ?? store.peek?.<V>(hash),

    async loadAll(wanted) {
      await store.loadAll?.(wanted.filter((hash) => !drafts.has(hash)))
    },

    save(node) {
      // No hash begins like this.
      const hash = `*${drafts.size}`
      drafts.set(hash, node)
      return hash
    },

    seal: (content) => ({
      ...content,
      pages: seal(content.pages),
      children: seal(content.children),
      slugs: seal(content.slugs),
      files: seal(content.files),
      reusable: seal(content.reusable),
    }),
  }
}
