/**
 * How HTML of others becomes nodes. What comes here was cleaned by `paste/clean-html.ts`: white space is as it is shown, and a
 * line break is its character.
 */
import { type Node as EditorNode, Fragment, type Schema, type TagParseRule } from 'prosemirror-model'
import { parseRef } from '../../../core/document/tree/refs.ts'
import { htmlTableData, htmlTableRows, readHtmlTable } from './html-table.ts'

type Rules = Readonly<Record<string, TagParseRule[]>>

const data = (fields: object) => () => ({ data: fields })
const words = { preserveWhitespace: 'full' } as const

export const nodeRules: Rules = {
  paragraph: [{ tag: 'p', ...words }],
  heading_1: [{ tag: 'h1', ...words }],
  heading_2: [{ tag: 'h2', ...words }],
  heading_3: ['h3', 'h4', 'h5', 'h6'].map((tag) => ({ tag, ...words })),
  list_tasks: [{ tag: 'ul[data-tasks]', priority: 60 }],
  list_unordered: [{ tag: 'ul' }],
  list_ordered: [
    {
      tag: 'ol',
      getAttrs: (element) => {
        const start = Number(element.getAttribute('start') ?? '1')
        return { data: Number.isInteger(start) && start > 1 ? { start } : {} }
      },
    },
  ],
  list_item: [
    {
      tag: 'li',
      getAttrs: (element) => ({
        data: element.hasAttribute('data-checked') ? { checked: element.getAttribute('data-checked') === 'true' } : {},
      }),
    },
  ],
  blockquote: [{ tag: 'blockquote' }],
  divider: [{ tag: 'hr' }],
  hint: [{ tag: 'aside', getAttrs: data({ style: 'info' }) }],
  code: [
    {
      tag: 'pre',
      getAttrs: (element) => {
        const syntax = element.getAttribute('data-language') ?? ''
        return { data: syntax === '' ? {} : { syntax } }
      },
      getContent: (element, schema) => codeLines(schema, element.textContent ?? ''),
    },
  ],
  images: [
    {
      tag: 'img[src]',
      // Such as only the device knows are taken out again before the document has them, and stored as files.
      getAttrs: (element) => (isImageUrl(element.getAttribute('src') ?? '') ? { data: {} } : false),
      getContent: (element, schema) =>
        Fragment.from(imageNode(schema, attribute(element, 'src'), attribute(element, 'alt'))),
    },
  ],
  table: [
    {
      tag: 'table',
      getAttrs: (element) => {
        const table = readHtmlTable(element)
        return table === undefined ? false : { data: htmlTableData(table) }
      },
      getContent: (element, schema) => {
        const table = readHtmlTable(element)
        return table === undefined ? Fragment.empty : htmlTableRows(schema, table)
      },
    },
  ],
}

export const markRules: Rules = {
  link: [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const url = element.getAttribute('href') ?? ''
        return /^(https?:|mailto:|\/|#)/i.test(url) ? { data: { ref: parseRef(url) } } : false
      },
    },
  ],
  bold: [{ tag: 'strong' }, { tag: 'b' }],
  italic: [{ tag: 'em' }, { tag: 'i' }],
  code: [{ tag: 'code' }],
  keyboard: [{ tag: 'kbd' }],
  strikethrough: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }],
  superscript: [{ tag: 'sup' }],
  subscript: [{ tag: 'sub' }],
}

/** The image itself as an address, or one that only a program or this device knows. */
export const isLocalUrl = (url: string): boolean => /^(?:data:image\/|blob:|file:|cid:|webkit-fake-url:)/i.test(url)

const isImageUrl = (url: string): boolean => /^https?:/i.test(url) || isLocalUrl(url)

/** What a rule is given; only these parts of it are used. */
type Attributed = Parameters<NonNullable<TagParseRule['getAttrs']>>[0]
const attribute = (element: unknown, name: string): string =>
  isAttributed(element) ? (element.getAttribute(name) ?? '') : ''
function isAttributed(element: unknown): element is Attributed {
  return typeof element === 'object' && element !== null && 'getAttribute' in element
}

export function codeLines(schema: Schema, text: string): Fragment {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  return Fragment.from(
    lines.map((line) => create(schema, 'code_line', { data: {} }, line === '' ? [] : [schema.text(line)])),
  )
}

function imageNode(schema: Schema, url: string, alt: string): EditorNode {
  return create(schema, 'image', { data: { ref: { kind: 'url', url }, ...(alt === '' ? {} : { alt }) } }, [])
}

function create(schema: Schema, name: string, attrs: Record<string, unknown>, content: EditorNode[]): EditorNode {
  const type = schema.nodes[name]
  if (type === undefined) throw new Error(`The schema has no ${name}.`)
  return type.create(attrs, content)
}
