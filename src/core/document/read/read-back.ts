/** Reads one printed piece of a page, so that printing can prove that it says what it should. */
import type { ReadBack } from '../print/context.ts'
import { noteNames, parseTokens } from '../syntax/markdown-parser.ts'
import { readBlocks } from './blocks.ts'
import type { ReadContext } from './context.ts'
import { buildRaw } from './raw-tree.ts'

export const readBack: ReadBack = (printed, { targets, isNote }) => {
  const notes = new Map(namedNotes(printed, isNote).map((name) => [name, '']))
  const reading: ReadContext = { resolve: (target) => targets.get(target), env: {}, notes, taken: new Map(), depth: 1 }
  const known = noteNames(reading.env)
  for (const name of notes.keys()) known.add(name)
  return readBlocks(buildRaw(parseTokens(printed, reading.env), 1), reading)
}

const noteName = /(?:\[\^|user-content-fn-)([\p{L}\p{N}_.-]{1,100})/gu

/** The notes that a piece speaks of. Knowing all of the page's would cost as much as the page, for every piece of it. */
function namedNotes(printed: string, isNote: (name: string) => boolean): string[] {
  return Array.from(printed.matchAll(noteName), (match) => match[1] ?? '').filter(isNote)
}
