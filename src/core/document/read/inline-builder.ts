/**
 * Making inline content from a stream: text, marks that begin and end, links, single inlines. Markdown tokens and HTML
 * both feed it.
 *
 * Marks need not nest: a leaf has the marks that are on when its text comes. A link holds texts and images only; any
 * other inline that comes inside one cuts it in two. What comes out is put in its one form with the whole tree
 * (`normalise.ts`).
 */
import { leaf, link } from '../tree/make.ts'
import type { ContentRef, Inline, InlineContent, InlineImage, Mark, Text } from '../tree/nodes.ts'

export class InlineBuilder {
  #out: InlineContent[] = []
  /** The marks that are on, one of a type: the first of those that began. Never changed, always replaced. */
  #marks: Mark[] = []
  /** How often each type has begun and not ended: emphasis within emphasis nests without end. */
  #begun: Map<Mark['type'], number> | undefined
  #link: { ref: ContentRef; nodes: (Text | InlineImage)[] } | undefined
  #space: Mark[] | undefined
  #started = false
  #afterBreak = false

  get isInLink(): boolean {
    return this.#link !== undefined
  }

  text(content: string): void {
    if (content === '') return
    this.#flushSpace()
    this.#push(content, this.#marks)
    this.#afterBreak = content.endsWith('\n')
  }

  /** White space of the source, of any length: one space, and none at either end of a line. */
  space(): void {
    if (this.#started && !this.#afterBreak) this.#space ??= this.#marks
  }

  lineBreak(): void {
    this.#space = undefined
    this.#push('\n', this.#marks)
    this.#afterBreak = true
  }

  startMark(mark: Mark): void {
    this.#begun ??= new Map()
    const begun = this.#begun.get(mark.type) ?? 0
    this.#begun.set(mark.type, begun + 1)
    if (begun === 0) this.#marks = [...this.#marks, mark]
  }

  endMark(type: Mark['type']): void {
    const begun = this.#begun?.get(type) ?? 0
    if (begun === 0) return
    this.#begun?.set(type, begun - 1)
    if (begun === 1) this.#marks = this.#marks.filter((mark) => mark.type !== type)
  }

  /** A link within a link ends the outer one. */
  startLink(ref: ContentRef): void {
    this.endLink()
    this.#flushSpace()
    this.#link = { ref, nodes: [] }
  }

  endLink(): void {
    const open = this.#link
    if (open === undefined) return
    this.#flushSpace()
    this.#link = undefined
    this.#started = true
    this.#out.push(link(open.ref, open.nodes))
  }

  image(node: InlineImage): void {
    this.#flushSpace()
    if (this.#link === undefined) this.#out.push(node)
    else this.#link.nodes.push(node)
    this.#begin()
  }

  inline(node: Inline): void {
    this.#flushSpace()
    const open = this.#link
    if (open !== undefined && open.nodes.length > 0) this.#out.push(link(open.ref, open.nodes))
    this.#out.push(node)
    if (open !== undefined) this.#link = { ref: open.ref, nodes: [] }
    this.#begin()
  }

  /** The link that has just ended, taken back: an annotation is written as one. */
  takeLastLink(isIt: (ref: ContentRef) => boolean): Text[] | undefined {
    const last = this.#space === undefined ? this.#out.at(-1) : undefined
    if (last?.object !== 'inline' || last.type !== 'link' || !isIt(last.data.ref)) return undefined
    this.#out.pop()
    return last.nodes.filter((node) => node.object === 'text')
  }

  finish(): InlineContent[] {
    this.#space = undefined
    this.endLink()
    return this.#out
  }

  #begin(): void {
    this.#started = true
    this.#afterBreak = false
  }

  #flushSpace(): void {
    const marks = this.#space
    this.#space = undefined
    if (marks !== undefined) this.#push(' ', marks)
  }

  #push(content: string, marks: Mark[]): void {
    this.#started = true
    this.#afterBreak = false
    const target: (InlineContent | Text | InlineImage)[] = this.#link?.nodes ?? this.#out
    const last = target.at(-1)
    if (last?.object !== 'text') {
      target.push({ object: 'text', leaves: [leaf(content, marks)] })
      return
    }
    // The list of marks is made anew with every change: the same list means that nothing has changed.
    const open = last.leaves.at(-1)
    if (open?.marks === marks) open.text += content
    else last.leaves.push(leaf(content, marks))
  }
}
