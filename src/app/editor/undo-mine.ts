/**
 * Undo and redo of one's own edits, also when others have written since.
 *
 * While nobody has, it is the history of ProseMirror. That maps the ranges of an edit through what came since, and so takes words
 * along that others wrote inside them; then the same step is taken, and the document made what `takeBack` says.
 *
 * 1. For every step of the history the documents before and after it are held; documents share what is equal in them.
 * 2. What comes from elsewhere is in none of the two: it ends the step that was being written (`applyBlocks`).
 */
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
import type { Node as EditorNode } from 'prosemirror-model'
import { type Command, type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { applyBlocks } from '../saving/apply-blocks.ts'
import { takeBack } from './take-back.ts'

/** A step of the history: what it made of what, and how often others had written by then. */
interface OwnEdit {
  before: EditorNode
  after: EditorNode
  others: number
}

interface OwnEdits {
  done: readonly OwnEdit[]
  undone: readonly OwnEdit[]
  /** How often somebody else has written. */
  others: number
}

/** A step of the history was taken from this document; `mended`: it was then made what it should be. */
interface Taken {
  way: 'undo' | 'redo'
  from: EditorNode
  mended: boolean
}

const key = new PluginKey<OwnEdits>('own-edits')

/** Stands behind the history, whose steps it follows. */
export function ownEdits(): Plugin<OwnEdits> {
  return new Plugin<OwnEdits>({
    key,
    state: {
      init: () => ({ done: [], undone: [], others: 0 }),
      apply: (tr, edits, old, now) =>
        tr.docChanged || tr.getMeta(key) !== undefined ? follow(tr, edits, { old, now }) : edits,
    },
  })
}

export const undoMine: Command = take('undo')
export const redoMine: Command = take('redo')

/** The browser's own menu asks in this way; keys come by the keymap. */
export function undoFromMenu(view: EditorView, event: { inputType: string; preventDefault(): void }): boolean {
  const { inputType } = event
  const command = inputType === 'historyUndo' ? undoMine : inputType === 'historyRedo' ? redoMine : undefined
  if (command === undefined || !view.editable) return false
  event.preventDefault()
  return command(view.state, view.dispatch, view)
}

function take(way: Taken['way']): Command {
  const step = way === 'undo' ? undo : redo
  return (state, dispatch, view) => {
    if (dispatch === undefined || view === undefined) return step(state)
    const edits = key.getState(state)
    const edit = (way === 'undo' ? edits?.done : edits?.undone)?.at(-1)
    const from = state.doc
    const isTaken = step(state, (tr) => dispatch(tr.setMeta(key, { way, from, mended: false } satisfies Taken)))
    if (!isTaken || edit === undefined || edit.others === edits?.others) return isTaken
    const [before, after] = way === 'undo' ? [edit.before, edit.after] : [edit.after, edit.before]
    const mend = applyBlocks(view.state, takeBack({ before, after, now: from }))
    if (mend.docChanged) dispatch(mend.setMeta(key, { way, from, mended: true } satisfies Taken))
    return true
  }
}

function follow(tr: Transaction, edits: OwnEdits, { old, now }: { old: EditorState; now: EditorState }): OwnEdits {
  const root: Transaction | undefined = tr.getMeta('appendedTransaction')
  const taken: Taken | undefined = tr.getMeta(key)
  const part: Taken | undefined = taken?.mended ? taken : root?.getMeta(key)
  const { done, undone } = edits
  if (part !== undefined) {
    // Belongs to the step that was just taken: it led here. The history does not know what was mended, so the way back is merged too.
    const others = edits.others + (part.mended ? 1 : 0)
    const [undoing, redoing] = [undone.at(-1), done.at(-1)]
    const seen = part.mended ? -1 : others
    if (part.way === 'undo' && undoing?.after === part.from)
      return { done, undone: [...undone.slice(0, -1), { ...undoing, before: now.doc, others: seen }], others }
    if (part.way === 'redo' && redoing?.before === part.from)
      return { done: [...done.slice(0, -1), { ...redoing, after: now.doc, others: seen }], undone, others }
    return { ...edits, others }
  }
  const { others } = edits
  if (taken?.way === 'undo') {
    // A step of which nothing was left is not kept for the way back.
    const isKept = redoDepth(now) > redoDepth(old)
    const back = isKept ? [...undone, { before: now.doc, after: old.doc, others }] : undone
    return { done: done.slice(0, -1), undone: back, others }
  }
  if (taken?.way === 'redo') {
    const isKept = undoDepth(now) > undoDepth(old)
    const again = isKept ? [...done, { before: old.doc, after: now.doc, others }] : done
    return { done: again, undone: undone.slice(0, -1), others }
  }
  if (tr.getMeta('addToHistory') === false || root?.getMeta('addToHistory') === false)
    return { ...edits, others: others + 1 }
  const last = done.at(-1)
  const isNew = last === undefined || undoDepth(now) !== undoDepth(old)
  const written = isNew
    ? [...done, { before: old.doc, after: now.doc, others }]
    : [...done.slice(0, -1), { ...last, after: now.doc }]
  // The history forgets its oldest steps.
  return { done: written.slice(-Math.max(1, undoDepth(now))), undone: [], others }
}
