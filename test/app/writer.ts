/** A writer without a screen: the editor's state, its saving, and random edits of words that can be found again. */
import { splitBlock } from 'prosemirror-commands'
import { EditorState, TextSelection } from 'prosemirror-state'
import { moveBlock } from '../../src/app/editor/commands.ts'
import { fromDocument } from '../../src/app/editor/document/from-document.ts'
import { keysPlugin } from '../../src/app/editor/document/keys.ts'
import { toBlocks } from '../../src/app/editor/document/to-document.ts'
import { applyBlocks } from '../../src/app/saving/apply-blocks.ts'
import type { Journal } from '../../src/app/saving/journal.ts'
import { type Clock, PageSession } from '../../src/app/saving/page-session.ts'
import type { Head, Remote } from '../../src/app/saving/remote.ts'
import type { SaveStatus } from '../../src/app/saving/status.ts'
import { makeDocument } from '../../src/core/document/tree/make.ts'
import type { Block } from '../../src/core/document/tree/nodes.ts'

export type Random = () => number

/** Reproducible: the same seed writes the same words in the same places. */
export function randomFrom(seed: number): Random {
  let state = seed * 2654435761 + 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

export interface WriterParts {
  name: string
  tab: string
  remote: Remote
  journal: Journal
  clock: Clock
  random: Random
  makeKey(): string
}

export interface Writer {
  session: PageSession
  blocks(): Block[]
  words(): Set<string>
  /** Makes one edit; the word that was written, or the words that were deleted. */
  edit(word: string): { wrote?: string; deleted?: string[] }
  status(): SaveStatus | undefined
}

export const wordsOf = (blocks: readonly Block[]): Set<string> =>
  new Set(JSON.stringify(blocks).match(/\bw\d+[a-z]\b/g) ?? [])

export function openWriter({ tab, remote, journal, clock, random, makeKey }: WriterParts, opened: Head): Writer {
  let state = EditorState.create({ doc: fromDocument(makeDocument(opened.blocks)), plugins: [keysPlugin({ makeKey })] })
  let status: SaveStatus | undefined
  const session = new PageSession(
    {
      page: 'page',
      tab,
      remote,
      journal,
      clock,
      makeKey,
      editing: {
        blocks: () => toBlocks(state.doc),
        apply: (blocks) => {
          state = state.apply(applyBlocks(state, blocks))
        },
        calm: () => Promise.resolve(),
      },
      onStatus: (now) => {
        status = now
        // Whoever writes both versions down loses nothing.
        if (now.kind === 'conflict') clock.after(50, () => void now.settle(() => 'both'))
      },
    },
    opened,
  )
  const pick = <Of>(items: readonly Of[]): Of | undefined => items[Math.floor(random() * items.length)]
  const places = (): number[] => {
    const found: number[] = []
    state.doc.descendants((node, pos) => {
      if (!node.isTextblock) return true
      found.push(pos + 1)
      for (let at = 0; at < node.textContent.length; at += 1) if (node.textContent[at] === ' ') found.push(pos + 2 + at)
      return false
    })
    return found
  }
  return {
    session,
    blocks: () => toBlocks(state.doc),
    words: () => wordsOf(toBlocks(state.doc)),
    status: () => status,
    edit(word) {
      const before = wordsOf(toBlocks(state.doc))
      const kind = random()
      const at = pick(places()) ?? 1
      let wrote: string | undefined
      if (kind < 0.72) {
        state = state.apply(state.tr.insertText(`${word} `, at))
        wrote = word
      } else if (kind < 0.84) {
        state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
        splitBlock(state, (tr) => {
          state = state.apply(tr)
        })
      } else if (kind < 0.94) {
        state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
        moveBlock(random() < 0.5 ? -1 : 1)(state, (tr) => {
          state = state.apply(tr)
        })
      } else {
        const $at = state.doc.resolve(at)
        const end = $at.parent.textContent.indexOf(' ', $at.parentOffset)
        if (end >= 0) state = state.apply(state.tr.delete(at, $at.start() + end + 1))
      }
      session.changed()
      const after = wordsOf(toBlocks(state.doc))
      return { ...(wrote === undefined ? {} : { wrote }), deleted: [...before].filter((one) => !after.has(one)) }
    },
  }
}
