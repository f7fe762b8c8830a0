/**
 * How the editor draws what has no view of its own, with the elements and class names of the published site, so that one style
 * sheet serves both. `test/app/class-names.test.ts` holds the names equal.
 */
import type { DOMOutputSpec, Node as EditorNode, Mark } from 'prosemirror-model'
import { charactersOf } from '../../../core/document/syntax/emoji.ts'
import { printRef } from '../../../core/document/tree/refs.ts'

export function blockDOM(name: string, node: EditorNode): DOMOutputSpec {
  const { data } = node.attrs
  switch (name) {
    case 'paragraph':
      return ['p', classes(alignClass(data.align)), 0]
    case 'heading_1':
    case 'heading_2':
    case 'heading_3': {
      // The page's title is the first level.
      const level = Number(name.slice(-1)) + 1
      return ['div', classes('heading', `h${level}`, alignClass(data.align)), [`h${level}`, 0]]
    }
    case 'list_ordered':
      return ['ol', data.start === undefined ? {} : { start: String(data.start) }, 0]
    case 'list_unordered':
      return ['ul', 0]
    case 'list_tasks':
      return ['ul', { class: 'tasks' }, 0]
    case 'list_item':
      return ['li', 0]
    case 'divider':
      return ['hr']
    case 'blockquote':
      return ['blockquote', 0]
    case 'hint':
      return ['div', { class: `hint ${data.style}`, role: 'note' }, ['div', { class: 'hint-body' }, 0]]
    case 'code':
      return ['div', { class: 'code' }, ['pre', ['code', 0]]]
    case 'code_line':
      return ['span', classes('line', data.highlighted === true && 'marked', data.change), 0]
    case 'images':
      return ['div', classes('images', data.align, data.fullWidth && 'full', data.withFrame && 'framed'), 0]
    case 'tabs':
      return ['div', classes('tabs', data.fullWidth && 'full'), ['div', { class: 'tab-panels' }, 0]]
    case 'tabs_item':
      return ['div', { class: 'tab-panel' }, 0]
    case 'stepper':
      return ['ol', { class: 'stepper' }, 0]
    case 'stepper_step':
      return [
        'li',
        { class: 'step' },
        ['span', { class: 'step-badge number', 'aria-hidden': 'true', contenteditable: 'false' }],
        ['div', { class: 'step-body' }, 0],
      ]
    case 'columns':
      return ['div', classes('columns', data.fullWidth && 'full'), 0]
    case 'column': {
      const vertical = data.verticalAlignment
      return ['div', classes('column', (vertical === 'middle' || vertical === 'bottom') && vertical), 0]
    }
    case 'updates':
      return ['div', { class: 'updates' }, 0]
    case 'update':
      return ['section', { class: 'update' }, ['div', { class: 'update-body' }, 0]]
    case 'table':
      return ['table', ['tbody', 0]]
    case 'image':
      return ['figure', ['div', 0]]
    case 'expandable':
      return ['div', { class: 'expandable' }, 0]
    case 'if':
      return ['div', { class: 'condition' }, 0]
    case 'prompt':
      return ['div', { class: 'prompt' }, 0]
    case 'math':
      return ['div', { class: 'math' }, data.formula]
    default:
      return ['div', { class: 'ref', 'data-type': name }]
  }
}

export function inlineDOM(name: string, node: EditorNode): DOMOutputSpec {
  const { data } = node.attrs
  switch (name) {
    case 'emoji':
      return ['span', { class: 'emoji', 'data-emoji': data.code }, charactersOf(data.code)]
    case 'inline_math':
      return ['span', { class: 'math-inline' }, data.formula]
    case 'expression':
      return ['code', { class: 'expression' }, data.expression]
    case 'icon':
      return ['span', { class: 'inline-icon' }, `:${data.icon}:`]
    case 'button':
      return ['span', { class: `button ${data.kind}` }, data.label]
    case 'mention':
      return ['span', { class: 'mention' }, data.label || printRef(data.ref)]
    case 'inline_image':
      return ['span', { class: 'inline-image' }, data.alt ?? '']
    default:
      return ['span', { 'data-type': name }]
  }
}

export function partDOM(name: string, node: EditorNode): DOMOutputSpec {
  switch (name) {
    case 'caption':
      return ['figcaption', 0]
    case 'expandable_title':
      return ['div', { class: 'summary' }, ['span', 0]]
    case 'expandable_body':
      return ['div', { class: 'expandable-body' }, 0]
    case 'table_row':
      return ['tr', 0]
    case 'table_text':
      return ['td', 0]
    case 'table_value':
      return ['td', { class: 'value' }, plainValue(node.attrs.value)]
    case 'verbatim':
      return ['div', { class: 'verbatim' }, String(node.attrs.json?.type ?? '')]
    default:
      return ['span', { class: 'verbatim' }, String(node.attrs.json?.type ?? '')]
  }
}

export function markDOM(name: string, mark: Mark): DOMOutputSpec {
  switch (name) {
    case 'link':
      return ['a', { href: printRef(mark.attrs.data.ref), rel: 'noopener' }, 0]
    case 'annotation':
      return ['span', { class: 'annotation' }, 0]
    case 'color':
      return ['span', colorClasses(mark.attrs.data), 0]
    default:
      return [markTags[name] ?? 'span', 0]
  }
}

const markTags: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  keyboard: 'kbd',
  strikethrough: 's',
  superscript: 'sup',
  subscript: 'sub',
}

function alignClass(align: string | undefined): string | undefined {
  return align === 'center' || align === 'end' ? `align-${align}` : undefined
}

function colorClasses(data: { text: string; background: string }): { class?: string } {
  const name = (prefix: string, color: string) => color !== 'default' && `${prefix}-${color.replace('$', '')}`
  return classes(name('t', data.text), name('b', data.background))
}

export function classes(...names: unknown[]): { class?: string } {
  const given = names.filter((name) => typeof name === 'string' && name !== '')
  return given.length === 0 ? {} : { class: given.join(' ') }
}

const plainValue = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
