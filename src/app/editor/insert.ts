/** The blocks and inlines that can be inserted: a row each, with what a new one holds. */
import {
  code,
  codeLine,
  fragment,
  heading,
  list,
  listItem,
  paragraph,
  parentBlock,
  voidBlock,
} from '../../core/document/tree/make.ts'
import type { Block, Table, TableDefinition, TableRecord } from '../../core/document/tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../../core/document/tree/table/table-ids.ts'
import type { EditorTexts } from '../texts/en/editor.ts'

export type BlockKind = Exclude<
  keyof EditorTexts['blocks'],
  | 'expression'
  | 'inline-math'
  | 'button'
  | 'emoji'
  | 'icon'
  | 'mention'
  | 'annotation'
  | 'swagger'
  | 'integration'
  | 'verbatim'
>
export type InlineKind = 'expression' | 'inline-math' | 'button' | 'icon'
export type InsertKind = BlockKind | InlineKind

export interface InsertRow {
  kind: InsertKind
  group: keyof EditorTexts['groups']
  /** Other words by which it is found, in any language. */
  words: string
  /** What to type instead. */
  hint?: string
}

export const insertRows: readonly InsertRow[] = [
  { kind: 'paragraph', group: 'text', words: 'paragraph plain text absatz' },
  { kind: 'heading-1', group: 'text', words: 'title h1 überschrift', hint: '#' },
  { kind: 'heading-2', group: 'text', words: 'h2 überschrift', hint: '##' },
  { kind: 'heading-3', group: 'text', words: 'h3 überschrift', hint: '###' },
  { kind: 'list-unordered', group: 'text', words: 'bullet ul aufzählung', hint: '-' },
  { kind: 'list-ordered', group: 'text', words: 'number ol nummeriert', hint: '1.' },
  { kind: 'list-tasks', group: 'text', words: 'tasks todo checkbox aufgaben', hint: '[]' },
  { kind: 'blockquote', group: 'text', words: 'quote zitat', hint: '>' },
  { kind: 'divider', group: 'text', words: 'rule line hr trennlinie', hint: '---' },
  { kind: 'code', group: 'text', words: 'source snippet quelltext', hint: '```' },
  { kind: 'hint', group: 'containers', words: 'info callout note admonition hinweis' },
  { kind: 'hint-success', group: 'containers', words: 'tip callout hinweis' },
  { kind: 'hint-warning', group: 'containers', words: 'caution callout warnung' },
  { kind: 'hint-danger', group: 'containers', words: 'error callout gefahr' },
  { kind: 'expandable', group: 'containers', words: 'details accordion toggle faq aufklappen' },
  { kind: 'tabs', group: 'containers', words: 'tab reiter' },
  { kind: 'stepper', group: 'containers', words: 'steps guide schritte' },
  { kind: 'columns', group: 'containers', words: 'layout side spalten' },
  { kind: 'if', group: 'containers', words: 'condition visitor adaptive bedingung' },
  { kind: 'updates', group: 'containers', words: 'changelog release news' },
  { kind: 'prompt', group: 'containers', words: 'copy instruction' },
  { kind: 'images', group: 'media', words: 'picture photo bild' },
  { kind: 'file', group: 'media', words: 'attachment download datei' },
  { kind: 'embed', group: 'media', words: 'video youtube iframe einbetten' },
  { kind: 'content-ref', group: 'media', words: 'page link card seite' },
  { kind: 'reusable-content', group: 'media', words: 'include snippet baustein' },
  { kind: 'drawing', group: 'media', words: 'sketch zeichnung' },
  { kind: 'table', group: 'data', words: 'grid rows tabelle' },
  { kind: 'cards', group: 'data', words: 'grid tiles karten' },
  { kind: 'math', group: 'data', words: 'tex latex equation formel' },
  { kind: 'openapi-operation', group: 'data', words: 'api endpoint swagger' },
  { kind: 'openapi-schemas', group: 'data', words: 'api models' },
  { kind: 'openapi-webhook', group: 'data', words: 'api event' },
  { kind: 'inline-math', group: 'inline', words: 'tex latex formel' },
  { kind: 'expression', group: 'inline', words: 'variable value ausdruck' },
  { kind: 'button', group: 'inline', words: 'action knopf' },
  { kind: 'icon', group: 'inline', words: 'symbol' },
]

/** What must be filled in before the block means anything: the panel opens at once. */
export const needsSettings: ReadonlySet<string> = new Set([
  'embed',
  'content-ref',
  'reusable-content',
  'math',
  'if',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'expression',
  'inline-math',
  'button',
  'icon',
])

const hintOf = (style: 'info' | 'success' | 'warning' | 'danger'): Block =>
  parentBlock('hint', { style }, [paragraph()])
const unsetUrl = { kind: 'url' as const, url: '' }

export function newBlock(kind: BlockKind, today: string): Block {
  switch (kind) {
    case 'paragraph':
      return paragraph()
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return heading(kind, [])
    case 'list-unordered':
    case 'list-ordered':
      return list(kind, [listItem([paragraph()])])
    case 'list-tasks':
      return list(kind, [listItem([paragraph()], { checked: false })])
    case 'blockquote':
      return parentBlock('blockquote', {}, [paragraph()])
    case 'divider':
      return voidBlock('divider', {})
    case 'hint':
      return hintOf('info')
    case 'hint-success':
      return hintOf('success')
    case 'hint-warning':
      return hintOf('warning')
    case 'hint-danger':
      return hintOf('danger')
    case 'code':
      return code('')
    case 'math':
      return voidBlock('math', { formula: '' })
    case 'expandable':
      return {
        object: 'block',
        type: 'expandable',
        isVoid: true,
        data: {},
        fragments: [fragment('expandable-title', [paragraph()]), fragment('expandable-body', [paragraph()])],
      }
    case 'tabs': {
      const item = () => parentBlock('tabs-item', {}, [paragraph()])
      return parentBlock('tabs', {}, [item(), item()])
    }
    case 'stepper': {
      const step = () => parentBlock('stepper-step', {}, [heading('heading-3', []), paragraph()])
      return parentBlock('stepper', {}, [step(), step()])
    }
    case 'columns': {
      const column = () => parentBlock('column', {}, [paragraph()])
      return parentBlock('columns', {}, [column(), column()])
    }
    case 'if':
      return parentBlock('if', { expression: 'true' }, [paragraph()])
    case 'updates':
      return parentBlock('updates', { format: 'full' as const }, [
        parentBlock('update', { date: today }, [paragraph()]),
      ])
    case 'prompt':
      return parentBlock('prompt', { description: '' }, [parentBlock('code', {}, [codeLine('')])])
    case 'table':
      return newTable({ type: 'grid', columns: [], hideHeader: false }, { columns: 3, rows: 2 })
    case 'cards':
      return newTable({ type: 'cards', cardSize: 'medium', columns: [] }, { columns: 2, rows: 3 })
    case 'images':
      return parentBlock('images', {}, [])
    case 'file':
      return voidBlock('file', { ref: unsetUrl })
    case 'embed':
      return voidBlock('embed', { url: '' })
    case 'content-ref':
      return voidBlock('content-ref', { ref: unsetUrl })
    case 'reusable-content':
      return voidBlock('reusable-content', { ref: unsetUrl })
    case 'drawing':
      return voidBlock('drawing', {})
    case 'openapi-operation':
      return voidBlock('openapi-operation', { path: '/', method: 'get', ref: unsetUrl })
    case 'openapi-schemas':
      return voidBlock('openapi-schemas', { schemas: [], ref: unsetUrl })
    case 'openapi-webhook':
      return voidBlock('openapi-webhook', { name: '', method: 'post', ref: unsetUrl })
  }
}

export function newInlineData(kind: InlineKind): object {
  switch (kind) {
    case 'expression':
      return { expression: '' }
    case 'inline-math':
      return { formula: '' }
    case 'button':
      return { label: 'Button', kind: 'primary', ref: unsetUrl }
    case 'icon':
      return { icon: 'star' }
  }
}

function newTable(view: Table['data']['view'], size: { columns: number; rows: number }): Table {
  const columns = Array.from({ length: size.columns }, (_, at) => columnId(at))
  const rows = Array.from({ length: size.rows }, (_, at) => rowId(at))
  const definition: Record<string, TableDefinition> = {}
  for (const id of columns) definition[id] = { id, title: '', type: 'text', textAlignment: 'left' }
  const records: Record<string, TableRecord> = {}
  rows.forEach((row, index) => {
    const values = Object.fromEntries(columns.map((column) => [column, cellName(row, column)]))
    records[row] = { orderIndex: orderIndexAt(index), values }
  })
  const fragments = rows.flatMap((row) =>
    columns.map((column) => fragment('table-cell' as const, [paragraph()], cellName(row, column))),
  )
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: { view: { ...view, columns }, records, definition },
    fragments,
  }
}
