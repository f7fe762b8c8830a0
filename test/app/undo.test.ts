/**
 * Undo of mine only, without a browser: one writes, moves, splits and deletes, another does the same between, and what the first
 * takes back is the first's own. `UNDO_SESSIONS` makes longer runs.
 */
import { splitBlock } from 'prosemirror-commands'
import { history, undoDepth } from 'prosemirror-history'
import { type Command, EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { moveBlock } from '../../src/app/editor/commands.ts'
import { fromDocument } from '../../src/app/editor/document/from-document.ts'
import { keysPlugin } from '../../src/app/editor/document/keys.ts'
import { toBlocks } from '../../src/app/editor/document/to-document.ts'
import { ownEdits, redoMine, undoMine } from '../../src/app/editor/undo-mine.ts'
import { applyBlocks } from '../../src/app/saving/apply-blocks.ts'
import { makeDocument, paragraph, text } from '../../src/core/document/tree/make.ts'
import { validateDocument } from '../../src/core/document/tree/validate.ts'
import { type Random, randomFrom, wordsOf } from './writer.ts'

const sessions = Number(process.env.UNDO_SESSIONS ?? 150)

/** As much of a view as the commands ask for. */
interface Writer {
  state: EditorState
  dispatch(tr: Transaction): void
}

function open(blocks: Parameters<typeof makeDocument>[0], makeKey: () => string): Writer {
  const plugins = [history({ newGroupDelay: 600 }), ownEdits(), keysPlugin({ makeKey })]
  const writer: Writer = {
    state: EditorState.create({ doc: fromDocument(makeDocument(blocks)), plugins }),
    dispatch(tr) {
      writer.state = writer.state.apply(tr)
    },
  }
  return writer
}

const run = (writer: Writer, command: Command): boolean =>
  // The commands read the state and dispatch; there is no screen.
  command(writer.state, writer.dispatch, writer as unknown as Parameters<Command>[2])

const wordsIn = ({ state }: Writer): Set<string> => wordsOf(toBlocks(state.doc))

function edit(
  writer: Writer,
  { random, word, kinds }: { random: Random; word: string; kinds: readonly string[] },
): void {
  const places: number[] = []
  writer.state.doc.descendants((node, pos) => {
    if (!node.isTextblock) return true
    places.push(pos + 1)
    for (let at = 0; at < node.textContent.length; at += 1) if (node.textContent[at] === ' ') places.push(pos + 2 + at)
    return false
  })
  const at = places[Math.floor(random() * places.length)] ?? 1
  const kind = kinds[Math.floor(random() * kinds.length)]
  const { state } = writer
  // Each its own step of the history: no two are close in time.
  const tr = state.tr.setTime(Date.now() + 1000 * ++time)
  if (kind === 'delete') {
    const $at = state.doc.resolve(at)
    const end = $at.parent.textContent.indexOf(' ', $at.parentOffset)
    if (end >= 0) writer.dispatch(tr.delete(at, $at.start() + end + 1))
  } else if (kind === 'split' || kind === 'move') {
    writer.dispatch(state.tr.setSelection(TextSelection.create(state.doc, at)))
    run(writer, kind === 'split' ? splitBlock : moveBlock(random() < 0.5 ? -1 : 1))
  } else writer.dispatch(tr.insertText(`${word} `, at))
}
let time = 0

const all = ['write', 'write', 'delete', 'split', 'move']

const laws = [
  {
    title: 'words',
    kinds: ['write', 'write', 'write', 'move'],
    others: ['write', 'write', 'delete'],
    isAllMineGone: true,
  },
  // A block that one cut and another cut again cannot always be made whole; then it stays as it is.
  { title: 'words, splits and moves', kinds: ['write', 'write', 'split', 'move'], others: all, isAllMineGone: false },
] as const

for (const { title, kinds, others, isAllMineGone } of laws)
  test(`whatever the order, undo and redo leave what another did: ${title}`, () => {
    for (let seed = 1; seed <= sessions; seed += 1) {
      const random = randomFrom(seed)
      let made = 0
      const makeKey = (): string => `k${++made}`
      const ann = open(
        ['one two three ', 'four five ', 'six '].map((words, at) => ({ ...paragraph([text(words)]), key: `p${at}` })),
        makeKey,
      )
      const theirs = new Set<string>()
      const gone = new Set<string>()
      for (let step = 0; step < 14; step += 1) {
        const what = random()
        if (what < 0.45) edit(ann, { random, word: `w${++made}a`, kinds })
        else if (what < 0.8) {
          const before = wordsIn(ann)
          const ben = open(toBlocks(ann.state.doc), makeKey)
          edit(ben, { random, word: `w${++made}b`, kinds: others })
          for (const word of wordsIn(ben)) if (!before.has(word)) theirs.add(word)
          for (const word of before) if (!wordsIn(ben).has(word)) gone.add(word)
          ann.dispatch(applyBlocks(ann.state, toBlocks(ben.state.doc)))
          expect(toBlocks(ann.state.doc)).toEqual(toBlocks(ben.state.doc))
        } else if (what < 0.92) run(ann, undoMine)
        else run(ann, redoMine)
        const now = wordsIn(ann)
        for (const word of theirs)
          if (!gone.has(word)) expect(now.has(word), `session ${seed}: ${word} was taken back by another`).toBe(true)
        const all = JSON.stringify(toBlocks(ann.state.doc)).match(/\bw\d+b\b/g) ?? []
        expect(all.length, `session ${seed}: a word of another stands twice`).toBe(new Set(all).size)
        for (const word of gone) expect(now.has(word), `session ${seed}: ${word} came back`).toBe(false)
      }
      for (let left = undoDepth(ann.state); left > 0; left -= 1) run(ann, undoMine)
      const now = wordsIn(ann)
      const mine = [...now].filter((word) => word.endsWith('a'))
      if (isAllMineGone) expect(mine, `session ${seed}: is still there`).toEqual([])
      for (const word of theirs) if (!gone.has(word)) expect(now.has(word), `session ${seed}: ${word}`).toBe(true)
      const read = validateDocument({ object: 'document', data: {}, nodes: toBlocks(ann.state.doc) })
      expect(read.ok, `session ${seed}`).toBe(true)
    }
  })
