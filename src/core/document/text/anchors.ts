/**
 * Heading anchors: the id a heading was given, or a slug of its text; unique within a document.
 */
import { cutTo } from '../../text.ts'
import type { Heading, JSONDocument, Node } from '../tree/nodes.ts'
import { walk } from '../tree/walk.ts'
import { inlineText } from './to-text.ts'

/** The anchor of every heading in the document. Ids that authors gave come first; slugs make way for them. */
export function anchorsOf(document: JSONDocument): Map<Node, string> {
  const headings: Heading[] = []
  walk(document, (node) => {
    if (isHeading(node)) headings.push(node)
  })
  const taken = new Set<string>()
  const anchors = new Map<Node, string>()
  for (const heading of headings) {
    const { id } = heading.data
    if (id === undefined || taken.has(id)) continue
    taken.add(id)
    anchors.set(heading, id)
  }
  const counts = new Map<string, number>()
  for (const heading of headings) {
    if (anchors.has(heading)) continue
    const base = slugOf(inlineText(heading.nodes))
    let count = counts.get(base) ?? 0
    let anchor = count === 0 ? base : `${base}-${count}`
    while (taken.has(anchor)) {
      count += 1
      anchor = `${base}-${count}`
    }
    counts.set(base, count + 1)
    taken.add(anchor)
    anchors.set(heading, anchor)
  }
  // A document in reading order, whichever of the two loops found the anchor.
  return new Map(headings.map((heading) => [heading, anchors.get(heading) ?? '']))
}

/**
 * The anchors under which other hosts know a heading: GitHub drops signs (`issueverify` for `Issue/Verify`), others spell
 * `&` out and put `id-` before a digit. Links that came with a repository use them. An anchor that a heading of the document
 * has is that heading's alone.
 */
export function otherAnchorsOf(anchors: ReadonlyMap<Node, string>): Map<Node, string[]> {
  const taken = new Set(anchors.values())
  const others = new Map<Node, string[]>()
  for (const node of anchors.keys()) {
    if (!isHeading(node)) continue
    for (const other of spellingsOf(inlineText(node.nodes))) {
      if (other === '' || taken.has(other)) continue
      taken.add(other)
      others.set(node, [...(others.get(node) ?? []), other])
    }
  }
  return others
}

function spellingsOf(words: string): string[] {
  const dropped = words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-')
  const spelt = slugOf(words.replaceAll('&', ' and '))
  return /^\d/.test(spelt) ? [dropped, spelt, `id-${spelt}`] : [dropped, spelt]
}

/** Whatever a link to a place in the document may name, as `foldAnchor` writes it. */
export function linkableAnchors(document: JSONDocument, anchors = anchorsOf(document)): Set<string> {
  const found = new Set([...anchors.values(), ...[...otherAnchorsOf(anchors).values()].flat()])
  // What folds has no place among the headings, but may be linked to by the id that its writer gave it.
  walk(document, (node) => {
    if (node.object === 'block' && node.type === 'expandable' && node.data.id !== undefined) found.add(node.data.id)
  })
  return found
}

/** Anchors as one text, in which one is found as fast as in a set, in a tenth of the memory. No text holds a NUL. */
export const joinAnchors = (anchors: Iterable<string>): string => `\0${[...anchors].join('\0')}\0`

/** Whether a link's anchor is among those that were joined. */
export const isAmongAnchors = (joined: string, written: string): boolean =>
  written !== '' && joined.includes(`\0${foldAnchor(written)}\0`)

/** An anchor as headings have it: links may have the capitals and colons of where they came from. */
export const foldAnchor = (written: string): string => written.toLowerCase().replaceAll(':', '-')

/** Letters and digits of any script, in lower case, words joined by hyphens. */
export function slugOf(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_.+]+/gu, '-')
    .replace(/^[-.+]+|[-.+]+$/g, '')
  return slug === '' ? 'section' : cutTo(slug, 100)
}

export function isHeading(node: Node): node is Heading {
  return (
    node.object === 'block' && (node.type === 'heading-1' || node.type === 'heading-2' || node.type === 'heading-3')
  )
}
