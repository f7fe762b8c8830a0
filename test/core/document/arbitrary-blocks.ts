/**
 * Documents: every block type, in every nesting the tree allows.
 */
import fc, { type Arbitrary } from 'fast-check'
import { comment } from '../../../src/core/document/tree/comment.ts'
import {
  annotation,
  codeLine,
  fragment,
  heading,
  image,
  leaf,
  listItem,
  makeDocument,
  parentBlock,
  voidBlock,
  voidInline,
} from '../../../src/core/document/tree/make.ts'
import {
  type Block,
  type Code,
  type CodeLine,
  codeOverflows,
  hintStyles,
  imagesAlignments,
  type JSONDocument,
  type PlainObject,
  type PlainValue,
  promptExpansions,
  type ReusableContentRef,
  textAlignments,
  updatesFormats,
  verticalAlignments,
} from '../../../src/core/document/tree/nodes.ts'
import { inlines, paragraphs } from './arbitrary-inline.ts'
import { table } from './arbitrary-table.ts'
import {
  anyRef,
  fileRef,
  flag,
  hostile,
  icon,
  id,
  labelled,
  length,
  nonEmpty,
  oneLine,
  some,
  url,
} from './arbitrary-text.ts'

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
      data: fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        some({ highlighted: flag, change: fc.constantFrom('added' as const, 'removed' as const) }),
      ),
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
    fc
      .record({ url, rest: some({ fullWidth: flag, caption: hostile }) })
      .map(({ url, rest }) => voidBlock('embed', { url, ...rest })),
    fc
      .record({
        integration: fc.constantFrom('mermaid', 'a b', 'x.y'),
        block: fc.constantFrom('diagram', 'b"c'),
        props: fc.dictionary(
          fc.constantFrom('content', 'url', 'a b', 'props', 'x'),
          fc.oneof<Arbitrary<PlainValue>[]>(hostile, fc.integer(), fc.constant(null), fc.constant([1, { a: 'b' }])),
          { maxKeys: 3, noNullPrototype: true },
        ),
        rest: some({ url, fullWidth: flag, action: fc.constant<PlainObject>({ action: 'x', list: [1] }) }),
      })
      .map(({ integration, block, props, rest }) => voidBlock('integration', { integration, block, props, ...rest })),
    fileRef.map((ref) => voidBlock('file', { ref })),
    some({ ref: fileRef, alt: hostile }).map((data) => voidBlock('drawing', data)),
    fc
      .oneof<Arbitrary<ReusableContentRef>[]>(
        url.map((target) => ({ kind: 'url', url: target })),
        id.map((reusableContent) => ({ kind: 'reusable-content', reusableContent })),
      )
      .map((ref) => voidBlock('reusable-content', { ref })),
    anyRef.map((ref) => voidBlock('content-ref', { ref })),
    hostile.map((words) => comment(words)),
    fc.constantFrom(' a comment ', '\n# of\n\nlines\n').map((words) => comment(words)),
    fc.tuple(labelled, hostile).map(([ref, label]) => voidBlock('content-ref', { ref, label })),
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
        schemas: fc.array(nonEmpty, { maxLength: 3 }),
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
    fc
      .record({
        title: paragraphs(depth),
        body: inner,
        data: some({ id: fc.constantFrom('a', 'x-1.2+_'), defaultExpanded: flag }),
      })
      .map(
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
