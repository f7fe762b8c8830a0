/** What a typesetting process is asked to do, one after another, and what it answers. */
import type { Book } from '../../core/book/book.ts'
import type { Entry, Part } from '../../core/book/parts.ts'

/** What does not change from job to job: given to the process when it starts. */
export interface TypesetSetup {
  template: string
  /** An empty folder: all that the typesetter could read of the machine. */
  workspace: string
  fonts: string[]
  /** Folders with fonts of the machine, for scripts that ours do not have. */
  systemFonts: string[]
}

/** Width and height as drawn at their own size, in points. */
export type ImageSizes = Record<string, { width: number; height: number }>

/** What the template draws: a part of a book, or what stands before its first. */
export interface Sheet extends Omit<Book, 'chapters' | 'isWhole'> {
  chapters: Part['chapters']
  /** Cover and contents. */
  front?: { entries: (Entry & { page: number })[] }
  /** The number that its first page prints. */
  firstPage: number
  /** Laid out only: nothing that costs and takes no room. */
  isMeasured: boolean
  /** Pages of the places that are linked to, and how many digits the largest of them has. */
  numbers: Record<string, number>
  digits: number
  sizes: ImageSizes
  /** Each formula in the typesetter's own notation; those that it cannot set are not there. */
  formulas: Record<string, string>
}

export type TypesetJob =
  /** Can these images be drawn? Their bytes follow. */
  | { kind: 'try'; images: string[] }
  /** Lay a sheet out, and say where its places are. */
  | { kind: 'measure'; sheet: Sheet }
  /** Draw it. The bytes of its images follow. */
  | { kind: 'draw'; sheet: Sheet; images: string[] }
  /** Make one file of those that follow. */
  | { kind: 'bind'; title: string; language: string; entries: Entry[] }

export interface TypesetAnswer {
  /** Memory that the process holds, in MiB. */
  resident: number
  sizes?: ImageSizes
  pages?: number
  /** For each label the page of the sheet it stands on, from 0. */
  labelPages?: Record<string, number>
  formulas?: Record<string, string>
}
