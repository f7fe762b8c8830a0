/**
 * Generators of documents: every node type, every nesting the tree allows, and text made to be mistaken for Markdown.
 */
import fc, { type Arbitrary } from 'fast-check'
import {
  annotation,
  codeLine,
  fragment,
  heading,
  image,
  leaf,
  link,
  listItem,
  makeDocument,
  paragraph,
  parentBlock,
  voidBlock,
  voidInline,
} from '../../../src/core/document/make.ts'
import {
  type Block,
  buttonKinds,
  buttonSizes,
  type Code,
  type CodeLine,
  type ContentRef,
  codeOverflows,
  type FileRef,
  type Fragment,
  hintStyles,
  type InlineContent,
  imagesAlignments,
  inlineImageSizes,
  type JSONDocument,
  type Length,
  type Mark,
  promptExpansions,
  type Table,
  type TableDefinition,
  type TableRecord,
  type TableValue,
  type Text,
  textAlignments,
  textColors,
  updatesFormats,
  verticalAlignments,
} from '../../../src/core/document/nodes.ts'

/** Pieces of syntax, scripts and spaces: text is a row of these. */
export const pieces = [
  '{%',
  '%}',
  '{% hint style="info" %}',
  '{% endhint %}',
  '{% unknown_tag a="*b*" %}',
  '{% include "x" %}',
  '{{ x }}',
  '|',
  '`',
  '``',
  '```',
  '~~~',
  '<',
  '>',
  '<b>',
  '</b>',
  '<div>',
  '</div>',
  '<string>',
  '<br>',
  '<td>',
  '</p>',
  '<!--',
  '-->',
  '&amp;',
  '&#x20;',
  '&',
  '&nbsp;',
  '*',
  '**',
  '***',
  '_',
  '__',
  '~',
  '~~',
  '^',
  '#',
  '##',
  '# ',
  '- ',
  '+ ',
  '* ',
  '1. ',
  '2) ',
  '> ',
  '[',
  ']',
  '(',
  ')',
  '[a](b)',
  '![',
  '!',
  '[^1]',
  '[^1]: x',
  '[x] ',
  '[ ] ',
  '[a]: b',
  '\\',
  '\\*',
  '$',
  '$$',
  '$$x$$',
  ':tada:',
  ':',
  'http://a.b/c',
  'https://x.y',
  'www.a.bc',
  'a@b.co',
  'mailto:x',
  '---',
  '***',
  '===',
  '| - |',
  '\t',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '    ',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '\ufeff',
  '\u202e',
  '\u0301',
  '你好',
  '日本語',
  'مرحبا',
  'שלום',
  'é',
  'ß',
  '😀',
  '👩‍👩‍👧',
  '🇫🇷',
  '❤️',
  '1️⃣',
  '©',
  '✅',
  '"',
  "'",
  '\\"',
  '=',
  '.',
  ',',
  ';',
  '%',
  'a',
  'word',
  'Two words',
  'B',
  '1',
  '42',
  'x_y_z',
  'a*b',
  'javascript:x',
] as const

export const hostile: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.constantFrom('word', 'Two words', 'a', 'Sentence, with a stop.', 'snake_case', '') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 8 })
      .map((text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')),
  },
)
const oneLine = hostile.map((text) => text.replaceAll('\n', ' '))
const said = hostile.filter((text) => text !== '')
const id = fc.constantFrom('a', 'Page1', 'x-y_z', '0')
const flag = fc.boolean()
const icon = fc.constantFrom('rocket', 'circle-info', 'a"b', 'x')

const url = fc.constantFrom(
  'https://example.com/a?b=c&d=e#f',
  'page.md',
  '../dir/file (1).png',
  'a b.md',
  'a"b',
  'a<b>c',
  'a&amp;b',
  'a|b',
  'a\\b',
  'a*b_c`d',
  '',
  '#',
  '#anchor',
  'mailto:a@b.co',
  '/pages/abc',
  '[x](y)',
  '{% x %}',
  'dir/',
  "it's",
  '日本.md',
  '(((',
  '$$',
  ' ',
)
const urlRef = url.map((target): FileRef => ({ kind: 'url', url: target }))
const fileRef: Arbitrary<FileRef> = fc.oneof(
  urlRef,
  id.map((file): FileRef => ({ kind: 'file', file })),
  id.map((file): FileRef => ({ kind: 'file', file, space: 's1' })),
)
const anyRef: Arbitrary<ContentRef> = fc.oneof(
  fileRef,
  id.map((page): ContentRef => ({ kind: 'page', page })),
  id.map((page): ContentRef => ({ kind: 'page', page, space: 's' })),
  id.map((anchor): ContentRef => ({ kind: 'anchor', anchor })),
  id.map((anchor): ContentRef => ({ kind: 'anchor', anchor, page: 'p', space: 's' })),
  id.map((user): ContentRef => ({ kind: 'user', user })),
  id.map((collection): ContentRef => ({ kind: 'collection', collection })),
  id.map((space): ContentRef => ({ kind: 'space', space })),
  id.map((reusableContent): ContentRef => ({ kind: 'reusable-content', reusableContent })),
  id.map((tag): ContentRef => ({ kind: 'tag', tag })),
  id.map((spec): ContentRef => ({ kind: 'openapi', spec })),
)

const length: Arbitrary<Length> = fc.oneof(
  fc.constantFrom(0, 1, 375, 33.5, -2),
  fc.constantFrom<Length>({ unit: '%', value: 50 }, { unit: 'px', value: 10.25 }),
)
/** Each field there or not. */
const some = <Fields extends object>(fields: { [Name in keyof Fields]: Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [] })

const mark: Arbitrary<Mark> = fc.oneof(
  fc
    .constantFrom(
      'bold' as const,
      'italic' as const,
      'code' as const,
      'keyboard' as const,
      'strikethrough' as const,
      'superscript' as const,
      'subscript' as const,
    )
    .map((type): Mark => ({ object: 'mark', type })),
  fc
    .record({ text: fc.constantFrom(...textColors), background: fc.constantFrom(...textColors) })
    .map((data): Mark => ({ object: 'mark', type: 'color', data })),
)
const marks = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Mark[]>([]) },
  { weight: 2, arbitrary: fc.array(mark, { maxLength: 3 }) },
)
export const text: Arbitrary<Text> = fc
  .array(fc.record({ text: hostile, marks }), { maxLength: 3 })
  .map((leaves): Text => ({ object: 'text', leaves: leaves.map((part) => leaf(part.text, part.marks)) }))

const inlineImage = fc
  .record({
    ref: fileRef,
    rest: some({ refDark: fileRef, caption: hostile, alt: hostile, size: fc.constantFrom(...inlineImageSizes) }),
  })
  .map(({ ref, rest }) => voidInline('inline-image', { ref, ...rest }))
const linkInline = fc
  .record({
    ref: anyRef,
    nodes: fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: inlineImage }), { maxLength: 2 }),
  })
  .map(({ ref, nodes }) => link(ref, nodes))
const button = fc
  .record({
    label: hostile,
    kind: fc.constantFrom(...buttonKinds),
    rest: some({ size: fc.constantFrom(...buttonSizes), icon }),
    pointed: fc.oneof(
      anyRef.map((ref) => ({ ref })),
      hostile.map((query) => ({ action: { action: 'search' as const, query } })),
      hostile.map((query) => ({ action: { action: 'ask' as const, query } })),
      hostile.map((slug) => ({ action: { action: 'select' as const, slug } })),
    ),
  })
  .map(({ label, kind, rest, pointed }) => voidInline('button', { label, kind, ...rest, ...pointed }))

const emojiCode = fc.constantFrom(
  '1f600',
  '2764-fe0f',
  '1f468-200d-1f469-200d-1f467',
  '1f1eb',
  '1f1eb-1f1f7',
  '41',
  '31-fe0f-20e3',
  '1f3fb',
  '200d',
  '110000',
)

export function inline(depth: number): Arbitrary<InlineContent> {
  const simple: Arbitrary<InlineContent> = fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 2, arbitrary: linkInline },
    inlineImage,
    emojiCode.map((code) => voidInline('emoji', { code })),
    fc
      .record({ icon: fc.constantFrom('rocket', 'x-y'), rest: some({ color: fc.constantFrom(...textColors) }) })
      .map(({ icon, rest }) => voidInline('icon', { icon, ...rest })),
    hostile.map((expression) => voidInline('expression', { expression })),
    hostile.map((formula) => voidInline('inline-math', { formula })),
    anyRef.map((ref) => voidInline('mention', { ref })),
    button,
  )
  if (depth <= 0) return simple
  const note = fc
    .record({ words: fc.array(text, { maxLength: 2 }), body: blocks(depth - 2) })
    .map(({ words, body }) => annotation(words, body))
  return fc.oneof({ weight: 12, arbitrary: simple }, { weight: 1, arbitrary: note })
}

const inlines = (depth: number): Arbitrary<InlineContent[]> => fc.array(inline(depth), { maxLength: 4 })
const paragraphs = (depth: number) =>
  fc
    .record({
      nodes: inlines(depth),
      data: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, some({ align: fc.constantFrom(...textAlignments) })),
    })
    .map(({ nodes, data }) => paragraph(nodes, data))

const codeText = hostile.map((line) => line.replaceAll('\n', ' '))
const line = (depth: number): Arbitrary<CodeLine> =>
  fc
    .record({
      nodes: fc.array(
        fc.oneof(
          {
            weight: 8,
            arbitrary: codeText.map((words): CodeLine['nodes'][number] => ({ object: 'text', leaves: [leaf(words)] })),
          },
          oneLine.map((expression) => voidInline('expression', { expression })),
          ...(depth > 0
            ? [
                fc
                  .record({ words: codeText, body: blocks(depth - 2) })
                  .map(({ words, body }) => annotation([{ object: 'text', leaves: [leaf(words)] }], body)),
              ]
            : []),
        ),
        { maxLength: 2 },
      ),
      data: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, some({ highlighted: flag })),
    })
    .map(({ nodes, data }) => codeLine(nodes, data))
const plainLine = codeText.map((words) => codeLine(words))
const codeBlock = (depth: number): Arbitrary<Code> =>
  fc
    .record({
      nodes: fc.oneof(fc.array(plainLine, { maxLength: 4 }), fc.array(line(depth), { maxLength: 3 })),
      data: some({
        syntax: fc.constantFrom('js', 'c++', 'a b', '', '`x', 'yaml&amp;'),
        title: oneLine,
        overflow: fc.constantFrom(...codeOverflows),
        lineNumbers: flag,
        fullWidth: flag,
        expandable: flag,
        collapsedLineCount: fc.integer({ min: 1, max: 99 }),
      }),
    })
    .map(({ nodes, data }) => parentBlock('code', data, nodes))

const imageBlock = (depth: number) =>
  fc
    .record({
      ref: fileRef,
      rest: some({ refDark: fileRef, width: length, height: length, alt: hostile }),
      caption: fc.array(inlines(depth), { maxLength: 2 }),
    })
    .map(({ ref, rest, caption }) => image({ ref, ...rest }, caption))

const flow = (depth: number): Arbitrary<Block[]> => blocks(depth - 1)
const parts = <Part>(arbitrary: Arbitrary<Part>): Arbitrary<Part[]> => fc.array(arbitrary, { maxLength: 3 })

function leafBlock(depth: number): Arbitrary<Block> {
  return fc.oneof(
    { weight: 10, arbitrary: paragraphs(depth) },
    {
      weight: 2,
      arbitrary: fc
        .record({
          type: fc.constantFrom('heading-1' as const, 'heading-2' as const, 'heading-3' as const),
          nodes: inlines(depth),
          data: some({ id: fc.constantFrom('a', 'x-1.2+_'), align: fc.constantFrom(...textAlignments) }),
        })
        .map(({ type, nodes, data }) => heading(type, nodes, data)),
    },
    { weight: 2, arbitrary: codeBlock(depth) },
    fc.constant(voidBlock('divider', {})),
    hostile.map((formula) => voidBlock('math', { formula })),
    fc.record({ url, rest: some({ fullWidth: flag }) }).map(({ url, rest }) => voidBlock('embed', { url, ...rest })),
    fc
      .record({
        integration: fc.constantFrom('mermaid', 'a b', 'x.y'),
        block: fc.constantFrom('diagram', 'b"c'),
        props: fc.dictionary(
          fc.constantFrom('content', 'url', 'a b', 'props', 'x'),
          fc.oneof(hostile, fc.integer(), fc.constant(null), fc.constant([1, { a: 'b' }])),
          { maxKeys: 3, noNullPrototype: true },
        ),
        rest: some({ url, fullWidth: flag, action: fc.constant({ action: 'x', list: [1] }) }),
      })
      .map(({ integration, block, props, rest }) => voidBlock('integration', { integration, block, props, ...rest })),
    fileRef.map((ref) => voidBlock('file', { ref })),
    some({ ref: fileRef }).map((data) => voidBlock('drawing', data)),
    fc
      .oneof(
        urlRef.filter((ref) => ref.kind === 'url'),
        id.map((reusableContent) => ({ kind: 'reusable-content' as const, reusableContent })),
      )
      .map((ref) => voidBlock('reusable-content', { ref })) as Arbitrary<Block>,
    anyRef.map((ref) => voidBlock('content-ref', { ref })),
    fc
      .record({ path: oneLine, method: oneLine, ref: fileRef, rest: some({ expanded: flag, fullWidth: flag }) })
      .map(({ rest, ...data }) => voidBlock('swagger', { ...data, ...rest })),
    fc
      .record({
        path: oneLine,
        method: hostile,
        ref: id.map((spec) => ({ kind: 'openapi' as const, spec })),
        rest: some({ headless: flag }),
      })
      .map(({ rest, ...data }) => voidBlock('openapi-operation', { ...data, ...rest })),
    fc
      .record({
        name: hostile,
        method: hostile,
        ref: id.map((spec) => ({ kind: 'openapi' as const, spec })),
        rest: some({ headless: flag }),
      })
      .map(({ rest, ...data }) => voidBlock('openapi-webhook', { ...data, ...rest })),
    fc
      .record({
        schemas: fc.array(said, { maxLength: 3 }),
        ref: id.map((spec) => ({ kind: 'openapi' as const, spec })),
        rest: some({ grouped: flag, title: hostile }),
      })
      .map(({ rest, ...data }) => voidBlock('openapi-schemas', { ...data, ...rest })),
    {
      weight: 2,
      arbitrary: fc
        .record({
          nodes: parts(imageBlock(depth)),
          data: some({ align: fc.constantFrom(...imagesAlignments), fullWidth: flag, withFrame: flag }),
        })
        .map(({ nodes, data }) => parentBlock('images', data, nodes)),
    },
    fc
      .record({
        code: codeBlock(depth),
        description: hostile,
        rest: some({ icon, openInAIProviders: flag, defaultExpanded: fc.constantFrom(...promptExpansions) }),
      })
      .map(({ code, description, rest }) => parentBlock('prompt', { description, ...rest }, [code])),
  )
}

function containerBlock(depth: number): Arbitrary<Block> {
  const inner = flow(depth)
  const item = fc
    .record({ nodes: inner, data: some({ checked: flag }) })
    .map(({ nodes, data }) => listItem(nodes, data))
  return fc.oneof(
    parts(item).map((nodes) => parentBlock('list-unordered', {}, nodes)),
    parts(item).map((nodes) => parentBlock('list-tasks', {}, nodes)),
    fc
      .record({ nodes: parts(item), data: some({ start: fc.constantFrom(0, 1, 7, 99, 999_999_999, -3, 1.5) }) })
      .map(({ nodes, data }) => parentBlock('list-ordered', data, nodes)),
    inner.map((nodes) => parentBlock('blockquote', {}, nodes)),
    fc
      .record({ nodes: inner, style: fc.constantFrom(...hintStyles), rest: some({ icon }) })
      .map(({ nodes, style, rest }) => parentBlock('hint', { style, ...rest }, nodes)),
    fc
      .record({ nodes: inner, expression: hostile })
      .map(({ nodes, expression }) => parentBlock('if', { expression }, nodes)),
    fc.record({ title: paragraphs(depth), body: inner, data: some({ defaultExpanded: flag }) }).map(
      ({ title, body, data }): Block => ({
        object: 'block',
        type: 'expandable',
        isVoid: true,
        data,
        fragments: [fragment('expandable-title', [title]), fragment('expandable-body', body)],
      }),
    ),
    fc
      .record({
        nodes: parts(
          fc
            .record({ nodes: inner, data: some({ title: hostile, icon, slug: hostile }) })
            .map(({ nodes, data }) => parentBlock('tabs-item', data, nodes)),
        ),
        data: some({ fullWidth: flag }),
      })
      .map(({ nodes, data }) => parentBlock('tabs', data, nodes)),
    parts(
      fc
        .record({ nodes: inner, data: some({ icon }) })
        .map(({ nodes, data }) => parentBlock('stepper-step', data, nodes)),
    ).map((nodes) => parentBlock('stepper', {}, nodes)),
    fc
      .record({
        nodes: parts(
          fc
            .record({
              nodes: inner,
              data: some({ width: length, verticalAlignment: fc.constantFrom(...verticalAlignments) }),
            })
            .map(({ nodes, data }) => parentBlock('column', data, nodes)),
        ),
        data: some({ fullWidth: flag }),
      })
      .map(({ nodes, data }) => parentBlock('columns', data, nodes)),
    fc
      .record({
        nodes: parts(
          fc
            .record({
              nodes: inner,
              date: fc.constantFrom('2024-01-02', '2024-01-02T03:04:05.000Z'),
              rest: some({
                tags: fc.array(
                  fc.oneof(
                    id.map((tag) => ({ kind: 'tag' as const, tag })),
                    id.map((tag) => ({ kind: 'tag' as const, tag, space: 's' })),
                  ),
                  { maxLength: 2 },
                ),
              }),
            })
            .map(({ nodes, date, rest }) => parentBlock('update', { date, ...rest }, nodes)),
        ),
        format: fc.constantFrom(...updatesFormats),
      })
      .map(({ nodes, format }) => parentBlock('updates', { format }, nodes)),
    { weight: 2, arbitrary: table(depth) },
  )
}

const definition: Arbitrary<TableDefinition> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ title: hostile, textAlignment: fc.constantFrom('left' as const, 'center' as const, 'right' as const) })
      .map(({ title, textAlignment }): TableDefinition => ({ id: '', title, type: 'text', textAlignment })),
  },
  fc
    .record({ title: hostile, verticalAlignment: fc.constantFrom(...verticalAlignments) })
    .map((data): TableDefinition => ({ id: '', type: 'text', textAlignment: 'left', ...data })),
  fc
    .record({
      title: hostile,
      type: fc.constantFrom(
        'number' as const,
        'checkbox' as const,
        'files' as const,
        'content-ref' as const,
        'image' as const,
      ),
    })
    .map((data): TableDefinition => ({ id: '', ...data })),
  fc.record({ title: hostile, multiple: flag }).map((data): TableDefinition => ({ id: '', type: 'users', ...data })),
  fc
    .record({ title: hostile, max: fc.integer({ min: 1, max: 10 }) })
    .map((data): TableDefinition => ({ id: '', type: 'rating', ...data })),
  fc.record({ title: hostile, multiple: flag, label: hostile, color: fc.constantFrom('red', 'a"b') }).map(
    ({ title, multiple, label, color }): TableDefinition => ({
      id: '',
      title,
      type: 'select',
      multiple,
      options: [
        { value: 'o1', label, color },
        { value: 'o,2', label: 'x', color },
      ],
    }),
  ),
)

function cellOf(column: TableDefinition): Arbitrary<TableValue> {
  switch (column.type) {
    case 'number':
    case 'rating':
      return fc.constantFrom(0, 1, 2.5, -7, 1e21, null)
    case 'checkbox':
      return fc.constantFrom(true, false, null)
    case 'files':
      return fc.array(fc.constantFrom('f1', 'a-b_c', 'dir/x (1).pdf', 'https://x.y/z.png'), { maxLength: 2 })
    case 'users':
      return fc.array(fc.constantFrom('u1', 'u 2', 'u,3'), { maxLength: 2 })
    case 'select':
      return fc.array(fc.constantFrom('o1', 'o,2'), { maxLength: 2 })
    case 'content-ref':
      return fc.option(anyRef.filter((ref) => !(ref.kind === 'url' && ref.url === '')))
    case 'image':
      return fc.option(
        fc.oneof(
          fileRef.filter((ref) => !(ref.kind === 'url' && ref.url === '')),
          fc
            .record({
              ref: fileRef.filter((ref) => !(ref.kind === 'url' && ref.url === '')),
              rest: some({
                objectFit: fc.constantFrom('contain' as const, 'cover' as const, 'fill' as const),
                alt: said,
              }),
            })
            .map(({ ref, rest }) => ({ ref, ...rest })),
        ),
      )
    default:
      return fc.constant(null)
  }
}

function table(depth: number): Arbitrary<Block> {
  const cell: Arbitrary<Block[]> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ nodes: inlines(depth) }).map(({ nodes }) => [paragraph(nodes)]) },
    { weight: 1, arbitrary: blocks(depth - 2) },
  )
  return fc
    .record({
      columns: fc.array(definition, { minLength: 1, maxLength: 3 }),
      isPlain: flag,
      rows: fc.integer({ min: 0, max: 3 }),
      isCards: flag,
      hidden: fc.integer({ min: 0, max: 5 }),
      grid: some({
        columnWidths: fc.constant({ c0: 120.5 }),
        stickyHeader: flag,
        stickyFirstColumn: flag,
        useNewSizing: flag,
      }),
      cards: some({
        targetDefinition: fc.constant('c0'),
        coverDefinition: fc.constant('c0'),
        coverDefinitionDark: fc.constant('c0'),
        hideColumnTitle: flag,
        wrap: flag,
      }),
      cardSize: fc.constantFrom('medium' as const, 'large' as const),
      hideHeader: flag,
      rest: some({ fullWidth: flag, search: flag }),
      merge: flag,
    })
    .chain((shape) => {
      const columns = shape.columns.map((column, at): TableDefinition => {
        const id = `c${at}`
        return shape.isPlain
          ? {
              id,
              title: column.title,
              type: 'text',
              textAlignment: column.type === 'text' ? column.textAlignment : 'left',
            }
          : { ...column, id }
      })
      const row = fc.tuple(...columns.map((column) => (column.type === 'text' ? cell : cellOf(column))))
      return fc.array(row, { minLength: shape.rows, maxLength: shape.rows }).map((rows): Table => {
        const fragments: Fragment<'table-cell'>[] = []
        const records: Record<string, TableRecord> = {}
        rows.forEach((values, place) => {
          const record: Record<string, TableValue> = {}
          columns.forEach((column, at) => {
            const value = values[at]
            if (column.type !== 'text') record[column.id] = isBlocks(value) || value === undefined ? null : value
            else {
              record[column.id] = `cell ${place} ${at}`
              fragments.push(fragment('table-cell', isBlocks(value) ? value : [], `cell ${place} ${at}`))
            }
          })
          // The order of the map is not the order of the rows.
          records[`r${rows.length - place}`] = { orderIndex: String.fromCharCode(97 + place), values: record }
        })
        const shown = columns.map((column) => column.id).filter((_, at) => shape.isPlain || at !== shape.hidden)
        const extra = shape.isPlain ? {} : shape.grid
        const merges =
          shape.merge && !shape.isPlain && rows.length > 0
            ? { cellMerges: [{ anchor: { record: 'r1', column: 'c0' }, rowSpan: 2, colSpan: 1 }] }
            : {}
        return {
          object: 'block',
          type: 'table',
          isVoid: true,
          data: {
            view:
              shape.isCards && !shape.isPlain
                ? { type: 'cards', cardSize: shape.cardSize, columns: shown, ...shape.cards }
                : { type: 'grid', columns: shown, hideHeader: shape.hideHeader && !shape.isPlain, ...extra },
            records,
            definition: Object.fromEntries(columns.map((column) => [column.id, column])),
            ...(shape.isPlain ? {} : shape.rest),
            ...merges,
          },
          fragments,
        }
      })
    })
}

function isBlocks(value: unknown): value is Block[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'object' in entry)
  )
}

export function blocks(depth: number): Arbitrary<Block[]> {
  if (depth <= 0) return fc.array(leafBlock(0), { maxLength: 2 })
  return fc.array(
    fc.oneof({ weight: 3, arbitrary: leafBlock(depth) }, { weight: 2, arbitrary: containerBlock(depth) }),
    { maxLength: 3 },
  )
}

export function document(depth: number): Arbitrary<JSONDocument> {
  return blocks(depth).map(makeDocument)
}
