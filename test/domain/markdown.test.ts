/** Markdown in a thread: the same answer as without one, and other work goes on meanwhile. */
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../src/core/document/to-markdown.ts'
import { assignKeys } from '../../src/core/document/tree/keys.ts'
import { makeDocument, paragraph } from '../../src/core/document/tree/make.ts'
import type { ContentRef } from '../../src/core/document/tree/nodes.ts'
import { mapRefs, printRef } from '../../src/core/document/tree/refs.ts'
import { isHeavyText, isHeavyTree, printMarkdown, readMarkdown } from '../../src/domain/content/markdown/markdown.ts'
import { Threads } from '../../src/threads/supervisor.ts'

const threads = new Threads()

const page = (paragraphs: number): string =>
  `---\ndescription: What it is\n---\n# Title\n\n${'Some **bold** words, `code` and a [link](other.md).\n\n'.repeat(paragraphs)}`

describe('a long page', () => {
  const markdown = page(2000)

  test('is read in a thread, and comes out as it would without', async () => {
    expect(isHeavyText(markdown)).toBe(true)
    expect(await readMarkdown(threads, markdown, 'markdown')).toEqual({ ...fromMarkdown(markdown), keyed: false })
  })

  test('is printed in a thread, with references spelt as they are asked to be', async () => {
    const { document, frontMatter, title = '' } = fromMarkdown(markdown)
    const printRef = (ref: ContentRef): string => (ref.kind === 'url' ? `../spelt/${ref.url}` : ref.kind)
    const options = { frontMatter, title, printRef }
    expect(isHeavyTree(document)).toBe(true)
    const printed = await printMarkdown(threads, document, options)
    expect(printed).toContain('../spelt/other.md')
    expect(printed).toBe(toMarkdown(document, options))
  })

  test('takes over the keys of the document it replaces, whatever the spelling of its links', async () => {
    const spelt = (ref: ContentRef): string => (ref.kind === 'page' ? 'other.md' : printRef(ref))
    const numbered = Array.from({ length: 1500 }, (_, at) => `Paragraph ${at} has a [link](other.md).`).join('\n\n')
    const resolved = mapRefs(fromMarkdown(numbered).document, (ref) =>
      ref.kind === 'url' ? { kind: 'page', page: 'p1' } : ref,
    )
    const before = assignKeys(
      makeDocument([...resolved.nodes.slice(0, 50), paragraph('gone'), ...resolved.nodes.slice(50)]),
    )
    const read = await readMarkdown(threads, numbered.replace('Paragraph 0', 'The first paragraph'), 'markdown', {
      previous: async () => ({ document: before, printRef: spelt }),
    })
    expect(read.keyed).toBe(true)
    const keys = before.nodes.map(({ key }) => key).toSpliced(50, 1)
    expect(read.document.nodes.map(({ key }) => key)).toEqual(keys)
  })

  test('is heavy by what its front matter holds, which takes longer to read than words', () => {
    const keys = Array.from({ length: 1500 }, (_, at) => at).join()
    expect(isHeavyText(`a ${keys}\n`)).toBe(false)
    expect(isHeavyText(`---\n{${keys}}\n---\na\n`)).toBe(true)
    expect(isHeavyText(`---\r\n{${keys}}\r\n---\r\na\r\n`)).toBe(true)
    expect(isHeavyText(`---\ndescription: ${'Some words. '.repeat(100)}\n---\n${'Some words. '.repeat(500)}`)).toBe(
      false,
    )
  })

  test('leaves time for others', async () => {
    const items = '* a\n'.repeat(30_000)
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 1)
    await readMarkdown(threads, items, 'markdown')
    clearInterval(counting)
    // Without a thread there would be no turn at all until the whole was read.
    expect(turns).toBeGreaterThan(20)
  })

  test('that holds more nodes than a document may is refused by name', { timeout: 60_000 }, async () => {
    await expect(readMarkdown(threads, '* a\n'.repeat(70_000), 'changes.0')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('more than 120000'),
    })
  })

  test('that takes too long is refused by name', async () => {
    const soon = { milliseconds: 50 }
    const { document } = fromMarkdown(markdown)
    await expect(readMarkdown(threads, '* a\n'.repeat(200_000), 'changes.0', { limits: soon })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('changes.0'),
    })
    await expect(printMarkdown(threads, document, {}, { milliseconds: 1 })).rejects.toMatchObject({
      code: 'overloaded',
    })
  })
})

describe('a short page', () => {
  test('needs no thread, unless it is dense', () => {
    expect(isHeavyText(page(5))).toBe(false)
    expect(isHeavyText('word '.repeat(4000))).toBe(false)
    expect(isHeavyText('* a\n'.repeat(1000))).toBe(true)
    expect(isHeavyTree(fromMarkdown(page(5)).document)).toBe(false)
  })
})
