/**
 * What search and links take from a document. It follows from the document alone, so that whoever has the tree at hand, such as
 * the thread that reads an import, works it out for those who index the page.
 */
import { anchorsOf, linkableAnchors } from '../document/text/anchors.ts'
import { sections } from '../document/text/sections.ts'
import type { JSONDocument } from '../document/tree/nodes.ts'
import { collectRefs, type FoundRef } from '../document/tree/refs.ts'
import { specBlocksIn } from '../openapi/write-out.ts'
import type { PageText } from './entries.ts'

export interface Extract {
  refs: FoundRef[]
  /** Whatever a link to a place in it may name. */
  anchors: string[]
  sections: PageText['sections']
  /** Whether blocks of it show specs. */
  showsSpecs: boolean
}

export function extractOf(document: JSONDocument): Extract {
  const anchors = anchorsOf(document)
  return {
    refs: collectRefs(document),
    anchors: [...linkableAnchors(document, anchors)],
    sections: searchedSections(document, anchors),
    showsSpecs: specBlocksIn(document).length > 0,
  }
}

export const searchedSections = (document: JSONDocument, anchors = anchorsOf(document)): PageText['sections'] =>
  sections(document, anchors).map(({ id, title, body }) => ({ anchor: id, title, body }))

/** Beyond this, in characters, whoever indexes reads the documents: an import of any size takes bounded memory. */
const mostCharacters = 32 * 1024 * 1024

/** A longer one takes some milliseconds to parse: its document is read, which is parsed in slices. */
const longest = 256 * 1024

/** Extracts of documents that were read a moment ago, as JSON, by the hashes of the documents. */
export class Extracts {
  readonly #texts = new Map<string, string>()
  #characters = 0

  add(hash: string, text: string): void {
    if (text.length > longest || this.#characters + text.length > mostCharacters || this.#texts.has(hash)) return
    this.#characters += text.length
    this.#texts.set(hash, text)
  }

  has(hash: string): boolean {
    return this.#texts.has(hash)
  }

  of(hash: string): Extract | undefined {
    const text = this.#texts.get(hash)
    return text === undefined ? undefined : JSON.parse(text)
  }
}
