/** The editor as a part of the app. */
// First of all: before the libraries of the editor.
import { restoreStacks } from './short-stacks.ts'

export type { InsertKind } from './insert.ts'
export type { Heading } from './outline.ts'
export { PageEditor, type PageEditorHandle, type PageEditorProps } from './page-editor.tsx'

restoreStacks()
