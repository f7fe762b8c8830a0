/**
 * What search and links take from a document. It follows from the document alone, so that whoever has the tree at hand, such as
 * the thread that reads an import, works it out for those who index the page.
 */
import { anchorsOf, joinAnchors, linkableAnchors } from '../document/text/anchors.ts'
import { sections } from '../document/text/sections.ts'
import type { JSONDocument } from '../document/tree/nodes.ts'
import { collectRefs, type FoundRef } from '../document/tree/refs.ts'
import { specBlocksIn } from '../openapi/write-out.ts'
import type { PageText } from './entries.ts'

export interface Extract {
  refs: FoundRef[]
  sections: PageText['sections']
  /** Whether blocks of it show specs. */
  showsSpecs: boolean
}

/** As it waits to be indexed. */
export interface PrintedExtract {
  /** JSON of the extract. */
  text: string
  /** Whatever a link to a place in it may name, joined: others ask for these alone, one link at a time. */
  anchors: string
}

export function printExtract(document: JSONDocument): PrintedExtract {
  const anchors = anchorsOf(document)
  const extract: Extract = {
    refs: collectRefs(document),
    sections: searchedSections(document, anchors),
    showsSpecs: specBlocksIn(document).length > 0,
  }
  return { text: JSON.stringify(extract), anchors: joinAnchors(linkableAnchors(document, anchors)) }
}

export const searchedSections = (document: JSONDocument, anchors = anchorsOf(document)): PageText['sections'] =>
  sections(document, anchors).map(({ id, title, body }) => ({ anchor: id, title, body }))

/** Beyond this, in characters, whoever indexes reads the documents: an import of any size takes bounded memory. */
const mostCharacters = { texts: 32 * 1024 * 1024, anchors: 8 * 1024 * 1024 }

/** A longer one takes some milliseconds to parse: its document is read, which is parsed in slices. */
const longest = 256 * 1024

/** Extracts of documents that were read a moment ago, by the hashes of the documents. */
export class Extracts {
  readonly #texts = new BoundedTexts(mostCharacters.texts)
  readonly #anchors = new BoundedTexts(mostCharacters.anchors)

  add(hash: string, { text, anchors }: PrintedExtract): void {
    if (text.length <= longest) this.#texts.add(hash, text)
    this.#anchors.add(hash, anchors)
  }

  has(hash: string): boolean {
    return this.#texts.get(hash) !== undefined
  }

  of(hash: string): Extract | undefined {
    const text = this.#texts.get(hash)
    return text === undefined ? undefined : JSON.parse(text)
  }

  anchorsOf(hash: string): string | undefined {
    return this.#anchors.get(hash)
  }
}

class BoundedTexts {
  readonly #most: number
  readonly #texts = new Map<string, string>()
  #characters = 0

  constructor(most: number) {
    this.#most = most
  }

  add(name: string, text: string): void {
    if (this.#characters + text.length > this.#most || this.#texts.has(name)) return
    this.#characters += text.length
    this.#texts.set(name, text)
  }

  get(name: string): string | undefined {
    return this.#texts.get(name)
  }
}
