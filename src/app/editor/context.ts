/** What the parts of one open editor share. */
import type { EditorView } from 'prosemirror-view'
import type { EditorTexts } from '../texts/en/editor.ts'
import type { Lookup } from './lookup.ts'

export interface EditorContext {
  texts: EditorTexts
  lookup: Lookup
  /** Where small windows are put. */
  root: HTMLElement
  locale: string
  /** Opens the settings of the node at a position. */
  openPanel(view: EditorView, pos: number): void
  /** Begins a comment on the block of this key, where people may comment. */
  comment?: ((block: string) => void) | undefined
  /** Says something to people who do not see it happen. */
  announce(words: string): void
  /** Says what did not succeed, to everybody, until it was read. */
  notice(words: string): void
}
