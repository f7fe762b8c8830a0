/**
 * A book: pages of a space as something that is read on paper. Plain data, which the typesetter's template draws.
 *
 * 1. Text is data here and stays data: nothing of a book is ever read as markup.
 * 2. `label` names a place in the book in plain letters; every label that something links to is there.
 */

export interface Book {
  title: string
  subtitle?: string
  /** As people write it in the book's language. */
  date: string
  /** A language code such as `en`, and the way its script runs. */
  language: string
  direction: 'ltr' | 'rtl'
  /** The colour of links, rules and the cover, as `#rrggbb`. */
  color: string
  /** The name of an image for the cover. */
  logo?: string
  /** A single page has no cover and no contents. */
  isWhole: boolean
  /** Links within the book tell the page they lead to. */
  hasPageNumbers: boolean
  words: BookWords
  chapters: Chapter[]
}

/** Words that the template itself prints. */
export interface BookWords {
  contents: string
  /** Before the number of a page, as in «p. 12». */
  page: string
  hints: Record<'info' | 'warning' | 'danger' | 'success', string>
}

export interface Chapter {
  label: string
  /** How deep the page stands in the tree, from 1. */
  level: number
  title: string
  description?: string
  blocks: BookBlock[]
  /** The rest of a chapter that was too heavy to be set at once: its title has been printed. */
  continues?: boolean
}

/** Where a link leads: to a place in the book, or out of it. */
export type Target = { label: string } | { url: string }

export interface TextRun {
  kind: 'text'
  text: string
  bold?: true
  italic?: true
  code?: true
  keyboard?: true
  strike?: true
  raised?: true
  lowered?: true
  color?: string
}

export type BookInline =
  | TextRun
  | { kind: 'link'; to: Target; content: BookInline[] }
  | { kind: 'math'; formula: string }
  | { kind: 'image'; image: string; alt: string }
  | { kind: 'note'; content: BookInline[]; words: BookInline[] }

export interface Picture {
  /** The name of its bytes; absent where they cannot be drawn. */
  image?: string
  alt: string
  /** Of the width of the text, in per cent, or in points. */
  width?: { percent: number } | { points: number }
  caption?: BookInline[]
}

export interface Cell {
  blocks: BookBlock[]
  align?: 'left' | 'center' | 'right'
  columns?: number
  rows?: number
}

export type BookBlock =
  | { kind: 'paragraph'; content: BookInline[]; align?: 'start' | 'center' | 'end' }
  | { kind: 'heading'; level: number; label?: string; content: BookInline[] }
  | { kind: 'list'; items: BookBlock[][]; start?: number; isOrdered: boolean }
  | { kind: 'tasks'; items: { isDone: boolean; blocks: BookBlock[] }[] }
  | { kind: 'rule' }
  | { kind: 'quote'; blocks: BookBlock[] }
  | { kind: 'hint'; style: 'info' | 'warning' | 'danger' | 'success'; blocks: BookBlock[] }
  | { kind: 'code'; text: string; language?: string; title?: string; isNumbered: boolean; highlighted: number[] }
  | { kind: 'pictures'; pictures: Picture[]; align: 'left' | 'center' | 'right' }
  | { kind: 'math'; formula: string }
  | { kind: 'table'; head?: Cell[]; rows: Cell[][]; widths: number[] }
  | { kind: 'cards'; cards: { image?: string; to?: Target; blocks: BookBlock[] }[] }
  | { kind: 'columns'; widths: number[]; columns: BookBlock[][] }
  | { kind: 'labelled'; title: BookInline[]; blocks: BookBlock[] }
  | { kind: 'steps'; start: number; steps: BookBlock[][] }
  | { kind: 'reference'; title: string; detail?: string; to?: Target }
  | { kind: 'operation'; method: string; path: string; summary?: string }
