export type { InsertKind } from './insert.ts'
export type { Heading } from './outline.ts'
export { PageEditor, type PageEditorHandle, type PageEditorProps } from './page-editor.tsx'
