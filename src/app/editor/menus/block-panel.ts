/** The settings of a block or an inline: a field for each of its data, made from the rows of the schema. */
import type { Node as EditorNode } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import {
  buttonKinds,
  buttonSizes,
  type ContentRef,
  codeOverflows,
  hintStyles,
  imagesAlignments,
  inlineImageSizes,
  promptExpansions,
  textAlignments,
  textColors,
  updatesFormats,
  verticalAlignments,
} from '../../../core/document/tree/nodes.ts'
import { canRefer, parseRef, printRef } from '../../../core/document/tree/refs.ts'
import { blockRows, inlineRows, type Row } from '../../../core/document/tree/schema.ts'
import { drawFormula } from '../blocks/math.ts'
import { setData } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { typeName } from '../document/names.ts'
import { button, make } from '../dom.ts'
import { insertFiles } from '../paste/files.ts'
import { pageField } from './page-field.ts'
import { hiddenFields } from './panel-fields.ts'
import { openPopover } from './popover.ts'
import { tableFields } from './table-panel.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const
const choices: Readonly<Record<string, readonly string[]>> = {
  align: textAlignments,
  'images.align': imagesAlignments,
  style: hintStyles,
  overflow: codeOverflows,
  verticalAlignment: verticalAlignments,
  format: updatesFormats,
  kind: buttonKinds,
  size: buttonSizes,
  'inline-image.size': inlineImageSizes,
  'prompt.defaultExpanded': promptExpansions,
  method: methods,
  color: textColors,
}
const flags = new Set([
  'lineNumbers',
  'fullWidth',
  'expandable',
  'highlighted',
  'withFrame',
  'headless',
  'grouped',
  'defaultExpanded',
  'openInAIProviders',
  'expanded',
  'search',
])
const numbers = new Set(['start', 'collapsedLineCount'])
const lengths = new Set(['width', 'height'])

const rowOf = (node: EditorNode): Row | undefined => {
  const rows: Readonly<Record<string, Row>> = node.isInline ? inlineRows : blockRows
  return rows[typeName(node.type.name)]
}

const fieldsOf = (node: EditorNode): string[] =>
  node.type.name === 'table'
    ? ['fullWidth', 'search']
    : Object.keys(rowOf(node)?.data ?? {}).filter((name) => !hiddenFields.has(name))

export const hasSettings = (node: EditorNode): boolean => fieldsOf(node).length > 0 || node.type.name === 'images'

/** What a block, or a part of one, is called. */
export function blockName({ type }: EditorNode, { texts }: EditorContext): string {
  const names: Readonly<Record<string, string>> = { ...texts.parts, ...texts.blocks }
  return names[typeName(type.name)] ?? texts.menu.settings
}

export function openBlockPanel(view: EditorView, pos: number, context: EditorContext): void {
  const node = view.state.doc.nodeAt(pos)
  if (node === null || !view.editable) return
  const { texts, root } = context
  const type = typeName(node.type.name)
  const title = blockName(node, context)
  const dom = view.nodeDOM(pos)
  const at = dom instanceof HTMLElement ? dom.getBoundingClientRect() : view.dom.getBoundingClientRect()
  const change = (fields: object): void => {
    const now = positionOf(view, pos, node)
    if (now !== undefined) view.dispatch(setData(view.state, now, fields))
  }
  const controls = fieldsOf(node).map((name) =>
    field({ name, type, value: node.attrs.data[name], change, context, node }),
  )
  if (node.type.name === 'table') controls.push(...tableFields(node, change, context))
  if (node.type.name === 'images' || node.type.name === 'file')
    controls.unshift(
      uploadField(context, node.type.name, (file) => void insertFiles(view, [file], context, { replace: pos })),
    )
  const form = make('form', { class: 'ed-form', on: { submit: (event) => finish(event) } }, ...controls)
  const done = button(texts.panel.close, { class: 'ed-row', text: texts.panel.close, press: () => popover.close() })
  const popover = openPopover(
    at,
    {
      root,
      takesFocus: true,
      role: 'dialog',
      'aria-label': title,
      class: 'ed-panel',
      closed: () => view.focus(),
    },
    make('div', { class: 'ed-panel-title' }, title),
    form,
    done,
  )
  const finish = (event: Event): void => {
    event.preventDefault()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    popover.close()
  }
}

/** Where the block is now: others may have written above it since the panel was opened. */
function positionOf(view: EditorView, pos: number, node: EditorNode): number | undefined {
  const { key } = node.attrs
  const isIt = (other: EditorNode | null): boolean => other?.type === node.type && other.attrs.key === key
  if (isIt(view.state.doc.nodeAt(pos))) return pos
  let found: number | undefined
  if (typeof key === 'string')
    view.state.doc.descendants((other, at) => {
      if (isIt(other)) found = at
      return found === undefined
    })
  return found
}

interface FieldOf {
  name: string
  type: string
  value: unknown
  node: EditorNode
  change(fields: object): void
  context: EditorContext
}

function field(of: FieldOf): HTMLElement {
  const { name, type, value, change, context } = of
  const { texts } = context
  const labels: Readonly<Record<string, string>> = texts.panel.fields
  const label = labels[name] ?? name
  const options = choices[`${type}.${name}`] ?? choices[name]
  const isFlag = flags.has(name) && choices[`${type}.${name}`] === undefined
  if (isFlag) {
    const box = make('input', { type: 'checkbox' })
    box.checked = value === true
    box.addEventListener('change', () => change({ [name]: box.checked ? true : undefined }))
    return make('label', { class: 'ed-check' }, box, label)
  }
  if (name === 'ref') return refField(of, label)
  const isRequired = rowRequires(of.node, name)
  if (options !== undefined) {
    const select = make('select', { class: 'ed-input' })
    if (!isRequired) select.append(make('option', { value: '' }, texts.panel.none))
    for (const option of options) {
      const names: Readonly<Record<string, string>> = texts.panel.options
      const row = make('option', { value: option }, names[option] ?? option)
      row.selected = option === value
      select.append(row)
    }
    select.addEventListener('change', () => change({ [name]: select.value === '' ? undefined : select.value }))
    return make('label', { class: 'ed-label' }, label, select)
  }
  if (name === 'formula') return formulaField(of, label)
  const input = make('input', {
    class: 'ed-input',
    type: numbers.has(name) ? 'number' : name === 'url' ? 'url' : name === 'date' ? 'date' : 'text',
    spellcheck: name === 'expression' ? 'false' : undefined,
  })
  input.value = textOf(name, value)
  input.addEventListener('change', () => change({ [name]: readField(name, input.value.trim(), isRequired) }))
  return make('label', { class: 'ed-label' }, label, input)
}

const rowRequires = (node: EditorNode, name: string): boolean => rowOf(node)?.data[name]?.required === true

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (lengths.has(name) && typeof value === 'object' && 'value' in value && 'unit' in value)
    return `${value.value}${value.unit}`
  if (name === 'date') return String(value).slice(0, 10)
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function readField(name: string, text: string, isRequired: boolean): unknown {
  if (name === 'schemas')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  if (text === '') return isRequired ? '' : undefined
  if (name === 'id') return text.toLowerCase().replace(/[^-a-z0-9.+_]+/g, '-')
  if (numbers.has(name)) return Math.min(1_000_000, Math.max(name === 'start' ? 0 : 1, Math.round(Number(text)) || 1))
  if (lengths.has(name)) {
    const match = /^(\d+(?:\.\d+)?)\s*(px|%|em|rem)?$/.exec(text)
    if (match === null) return undefined
    const size = Number(match[1])
    return match[2] === undefined || match[2] === 'px' ? size : { value: size, unit: match[2] }
  }
  return text
}

function formulaField({ value, change, node }: FieldOf, label: string): HTMLElement {
  const area = make('textarea', { class: 'ed-input ed-code', rows: 4, spellcheck: 'false' })
  const preview = make('div', { class: 'ed-preview' })
  area.value = String(value ?? '')
  const draw = (): void => void drawFormula(preview, area.value, node.isBlock)
  area.addEventListener('input', draw)
  area.addEventListener('change', () => change({ formula: area.value }))
  draw()
  return make('label', { class: 'ed-label' }, label, area, preview)
}

/** What this block can point at, found by its name, or an address. */
function refField({ value, change, context, type }: FieldOf, label: string): HTMLElement {
  const { lookup } = context
  const current = isRef(value) ? value : undefined
  const find = type === 'reusable-content' ? lookup.reusable : type.startsWith('openapi') ? lookup.specs : lookup.pages
  return pageField({
    label,
    context,
    find: async (query) => (await find(query)).filter(({ ref }) => canRefer(type, ref)),
    value: current === undefined || (current.kind === 'url' && current.url === '') ? '' : printRef(current),
    choose: (ref) => change({ ref }),
    read(text) {
      const ref = text === '' ? undefined : parseRef(text)
      return ref !== undefined && canRefer(type, ref) ? ref : undefined
    },
  })
}

const isRef = (value: unknown): value is ContentRef => typeof value === 'object' && value !== null && 'kind' in value

function uploadField({ texts }: EditorContext, type: string, choose: (file: File) => void): HTMLElement {
  const label = type === 'images' ? texts.image.choose : texts.file.choose
  const input = make('input', { type: 'file', ...(type === 'images' ? { accept: 'image/*' } : {}) })
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file !== undefined) choose(file)
  })
  return make('label', { class: 'ed-label' }, label, input)
}
