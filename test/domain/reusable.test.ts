/** Reusable contents in the places that name them: at the top, inside other blocks, and in each other. */
import { expect, test } from 'vitest'
import { toText } from '../../src/core/document/text/to-text.ts'
import { makeDocument } from '../../src/core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../src/core/document/tree/nodes.ts'
import { emptyContent, putReusable } from '../../src/core/revision/content.ts'
import type { ContentAt } from '../../src/domain/content/at.ts'
import { withReusable } from '../../src/domain/content/markdown/evaluate.ts'
import { openContent } from '../../src/store/content/content.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

const paragraph = (words: string): Block =>
  ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }],
  }) as Block
const include = (id: string): Block =>
  ({
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: id } },
  }) as Block
const hint = (...nodes: Block[]): Block =>
  ({ object: 'block', type: 'hint', isVoid: false, data: { style: 'info' }, nodes }) as Block

eachBackend((backend) => {
  const store = useStore(backend)

  async function contentWith(documents: Record<string, JSONDocument>): Promise<ContentAt> {
    const writer = openContent(store.db)
    let content = emptyContent(writer)
    for (const [id, document] of Object.entries(documents))
      content = await putReusable(
        writer,
        content,
        new Map([[id, { id, title: id, document: await writer.saveDocument(document) }]]),
      )
    return { reader: writer, content } as unknown as ContentAt
  }

  test('stand where they are named, however deep', async () => {
    const at = await contentWith({
      inner: makeDocument([paragraph('the inner')]),
      outer: makeDocument([paragraph('the outer'), hint(include('inner'))]),
    })
    const page = makeDocument([include('outer'), hint(paragraph('beside'), include('inner')), include('gone')])
    const whole = await withReusable(at, page)
    expect(toText(whole).split(/\s*\n\s*/)).toEqual(['the outer', 'the inner', 'beside', 'the inner'])
    // The document itself is as it was: it is kept under its hash.
    expect(page.nodes[0]?.type).toBe('reusable-content')
  })

  test('in a circle, or in a crowd, come to an end', async () => {
    const at = await contentWith({
      circle: makeDocument([paragraph('round'), include('circle')]),
      crowd: makeDocument(Array.from({ length: 50 }, () => include('crowd2'))),
      crowd2: makeDocument(Array.from({ length: 50 }, () => include('word'))),
      word: makeDocument([paragraph('word')]),
    })
    expect(toText(await withReusable(at, makeDocument([include('circle')]))).match(/round/g)).toHaveLength(5)
    const crowded = toText(await withReusable(at, makeDocument([include('crowd')])))
    expect(crowded.match(/word/g)?.length ?? 0).toBeLessThanOrEqual(200)
  })

  test('take no more room together than a page has', async () => {
    const at = await contentWith({
      many: makeDocument(Array.from({ length: 30_000 }, () => paragraph('a'))),
      long: makeDocument([paragraph('b'.repeat(900_000))]),
      word: makeDocument([paragraph('word')]),
    })
    const hundred = (id: string): Block[] => Array.from({ length: 100 }, () => include(id))
    const many = await withReusable(at, makeDocument([...hundred('many'), include('word')]))
    expect(many.nodes.filter(({ type }) => type === 'paragraph')).toHaveLength(30_000 + 1)
    expect(many.nodes.filter(({ type }) => type === 'reusable-content')).toHaveLength(99)
    const long = await withReusable(at, makeDocument([...hundred('long'), include('word')]))
    expect(long.nodes.filter(({ type }) => type === 'paragraph')).toHaveLength(2 + 1)
  })
})
