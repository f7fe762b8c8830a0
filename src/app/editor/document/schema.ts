/**
 * The editor's schema, made from the rows of `core/document/tree/schema.ts`: a block type that gets a row there can be edited
 * here without another line.
 *
 * 1. Every node carries its `key` and its `data` whole, so a field that the editor does not know comes back as it was.
 * 2. A node whose data has required fields has no default for them: the editor never makes such a node to fill a gap.
 * 3. What does not fit is carried as it is by `verbatim`, and never dropped.
 * 4. Links and annotations are marks with the node's key and data; fragments are nodes (`caption`, `expandable_title` …); the
 *    records and cells of a table are `table_row`, `table_text` and `table_value`.
 */
import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { blockRows, inlineRows, markTypes, type Row, topLevels } from '../../../core/document/tree/schema.ts'
import { blockDOM, inlineDOM, markDOM, partDOM } from './dom.ts'
import { markName, nodeName, wrappingInlines } from './names.ts'
import { markRules, nodeRules } from './parse-rules.ts'

const isolating = new Set(['tabs-item', 'column', 'table'])
const contents: Readonly<Record<string, string>> = {
  table: 'table_row*',
  image: 'caption?',
  expandable: 'expandable_title expandable_body',
}

const rows: Readonly<Record<string, Row>> = { ...blockRows, ...inlineRows }
const codeWords = '(text | expression | verbatim_inline)*'

export const schema: Schema = new Schema({ nodes: nodeSpecs(), marks: markSpecs() })

function nodeSpecs(): Record<string, NodeSpec> {
  const specs: Record<string, NodeSpec> = { doc: { content: 'flow+', attrs: { data: { default: {} } } } }
  // The first type of a group is what fills a gap: paragraphs stand first in the rows.
  for (const [type, row] of Object.entries(blockRows)) specs[nodeName(type)] = blockSpec(type, row)
  for (const [type, row] of Object.entries(inlineRows))
    if (!wrappingInlines.includes(type)) specs[nodeName(type)] = inlineSpec(type, row)
  return { ...specs, ...partSpecs(), text: { group: 'words' } }
}

function blockSpec(type: string, row: Row): NodeSpec {
  const name = nodeName(type)
  const isText = row.nodes?.includes('text') === true
  const spec: NodeSpec = {
    attrs: { key: { default: null }, data: dataAttr(row, type) },
    content: contents[type] ?? contentOf(row),
    group: topLevels.some((candidate) => candidate === type) ? 'flow' : '',
    defining: !isText || type.startsWith('heading'),
    isolating: isolating.has(type),
    toDOM: (node) => blockDOM(name, node),
    parseDOM: nodeRules[name] ?? [],
  }
  if (isText) spec.whitespace = 'pre'
  if (type === 'code-line') Object.assign(spec, { code: true, marks: 'annotation' })
  // A void block is chosen as a whole.
  if (spec.content === '' || type === 'image') spec.selectable = true
  return spec
}

function contentOf(row: Row): string {
  if (row.nodes === undefined) return ''
  if (row.flow === true) return 'flow+'
  if (row.nodes.includes('text')) return row.nodes.includes('emoji') ? 'words*' : codeWords
  const names = row.nodes.map((type) => nodeName(type))
  const one = names.length === 1 ? names[0] : `(${names.join(' | ')})`
  if (row.exactlyOne === true) return `${one}`
  // What cannot be made without data cannot be demanded either.
  const isMade = row.nodes.some((type) => !needsData(rows[type], type))
  return isMade ? `${one}+` : `${one}*`
}
function dataAttr(row: Row, type: string): { default?: unknown } {
  return needsData(row, type) ? {} : { default: {} }
}

function needsData(row: Row | undefined, type: string): boolean {
  return type === 'table' || Object.values(row?.data ?? {}).some((field) => field.required)
}

function inlineSpec(type: string, row: Row): NodeSpec {
  const name = nodeName(type)
  return {
    inline: true,
    atom: true,
    group: 'words',
    attrs: { key: { default: null }, data: dataAttr(row, type) },
    toDOM: (node) => inlineDOM(name, node),
    parseDOM: nodeRules[name] ?? [],
  }
}

function partSpecs(): Record<string, NodeSpec> {
  const named = { key: { default: null }, name: { default: '' } }
  const part = (name: string, spec: NodeSpec): NodeSpec => ({
    isolating: true,
    toDOM: (node) => partDOM(name, node),
    parseDOM: nodeRules[name] ?? [],
    ...spec,
  })
  return {
    caption: part('caption', { attrs: named, content: 'paragraph+' }),
    // A title is one paragraph; in the editor it is words, so that nothing else can get into it.
    expandable_title: part('expandable_title', {
      attrs: { ...named, paragraph: { default: { key: null, data: {} } } },
      content: 'words*',
      whitespace: 'pre',
    }),
    expandable_body: part('expandable_body', { attrs: named, content: 'flow+' }),
    table_row: part('table_row', {
      attrs: { id: { default: '' }, orderIndex: { default: '' }, rest: { default: {} } },
      content: '(table_text | table_value)*',
      isolating: false,
    }),
    table_text: part('table_text', { attrs: { ...named, column: { default: '' } }, content: 'flow+' }),
    table_value: part('table_value', {
      attrs: { column: { default: '' }, value: { default: null } },
      content: '',
      atom: true,
      selectable: true,
    }),
    verbatim: part('verbatim', {
      attrs: { key: { default: null }, json: {} },
      group: 'flow',
      content: '',
      atom: true,
      isolating: false,
    }),
    verbatim_inline: part('verbatim_inline', {
      attrs: { key: { default: null }, json: {} },
      inline: true,
      atom: true,
      group: 'words',
      isolating: false,
    }),
  }
}

function markSpecs(): Record<string, MarkSpec> {
  const specs: Record<string, MarkSpec> = {
    link: {
      attrs: { key: { default: null }, data: {} },
      inclusive: false,
      excludes: 'link annotation',
      toDOM: (mark) => markDOM('link', mark),
      parseDOM: markRules.link ?? [],
    },
    annotation: {
      attrs: { key: { default: null }, data: { default: {} }, fragments: { default: [] } },
      inclusive: false,
      excludes: 'link annotation',
      toDOM: (mark) => markDOM('annotation', mark),
    },
  }
  for (const type of markTypes)
    specs[markName(type)] = {
      ...(type === 'color' ? { attrs: { data: {} } } : {}),
      toDOM: (mark) => markDOM(type, mark),
      parseDOM: markRules[type] ?? [],
    }
  return specs
}
