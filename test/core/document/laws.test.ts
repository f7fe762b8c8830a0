/**
 * The laws of the document tree and its Markdown, on generated documents: ten thousand of them in all.
 * `LAW_TIMES=20 LAW_SEED=random npx vitest run test/core/document/laws.test.ts` tries twenty times as many.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toText } from '../../../src/core/document/text/to-text.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import {
  link,
  list,
  listItem,
  makeDocument,
  paragraph,
  text,
  voidBlock,
  voidInline,
} from '../../../src/core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { normalise } from '../../../src/core/document/tree/normalise.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { document } from './arbitrary-blocks.ts'
import { syntax } from './syntax.ts'

const times = Number(process.env.LAW_TIMES ?? '1')
const timeout = 120_000 * times

/** As stored: the generators make objects without a prototype, which are the same JSON. */
const stored = (tree: JSONDocument): unknown => JSON.parse(JSON.stringify(tree))

/** The quick comparison first: the one that explains is slow, and wanted only when there is something to explain. */
function same(actual: JSONDocument, wanted: JSONDocument, printed: string): void {
  if (!isDeepStrictEqual(stored(actual), stored(wanted))) expect(stored(actual), printed).toEqual(stored(wanted))
}

describe('a tree that goes through Markdown', () => {
  for (const [depth, numRuns] of [
    [0, 4000],
    [1, 1800],
    [2, 500],
    [3, 200],
  ] as const)
    test(`comes back as it was: ${numRuns} trees of depth ${depth}`, { timeout }, () => {
      fc.assert(
        fc.property(document(depth), (tree) => {
          const printed = toMarkdown(tree)
          same(fromMarkdown(printed).document, normalise(tree), printed)
        }),
        { numRuns: numRuns * times },
      )
    })

  const emptyLists = (depth: number): Block[] =>
    depth === 0 ? [] : [list('list-unordered', [listItem(emptyLists(depth - 1))])]
  const found: Readonly<Record<string, Block[]>> = {
    'an emoji whose sign stands in the next text': [paragraph([text('©'), text('\ufe0f')])],
    'a task that links by an address and the beginning of a comment, and its end behind': [
      list('list-tasks', [
        listItem([paragraph([link({ kind: 'openapi', spec: 'a' }, [text('http://a.b/c<!--')]), text('-->')])]),
      ]),
    ],
    'a star and a sign that makes it an emoji': [paragraph([text('***'), text('\ufe0f')])],
    'emoji that a sign between them would join': [
      paragraph([voidInline('emoji', { code: '1f600' }), text('\u200d👩\u200d👧')], { align: 'center' }),
    ],
    'a list below words that are HTML': [
      list('list-unordered', [
        listItem([
          paragraph([voidInline('inline-math', { formula: 'x' })]),
          list('list-unordered', [listItem([paragraph('a')])]),
        ]),
      ]),
    ],
    'lists that begin each other and hold nothing': emptyLists(3),
    'more of them': [...emptyLists(5), ...emptyLists(4)],
    'and a divider in them': [list('list-unordered', [listItem([...emptyLists(1), voidBlock('divider', {})])])],
  }
  for (const [name, nodes] of Object.entries(found))
    test(`comes back as it was: ${name}`, () => {
      const tree = makeDocument(nodes)
      const printed = toMarkdown(tree)
      same(fromMarkdown(printed).document, normalise(tree), printed)
    })

  test('is the same after a second pass of normalise', () => {
    fc.assert(
      fc.property(document(1), (tree) => {
        const once = normalise(tree)
        same(normalise(once), once, '')
      }),
      { numRuns: 500 * times },
    )
  })
})

const source = fc.array(fc.constantFrom(...syntax), { maxLength: 20 }).map((parts) => parts.join(''))

describe('any string', () => {
  test('is a valid document, and its Markdown is stable', { timeout }, () => {
    fc.assert(
      fc.property(source, (markdown) => {
        const read = fromMarkdown(markdown)
        expect(validateDocument(read.document)).toMatchObject({ ok: true })
        const printed = toMarkdown(read.document, read)
        const again = fromMarkdown(printed)
        same(again.document, read.document, printed)
        expect(again.title).toBe(read.title)
        expect(toMarkdown(again.document, again)).toBe(printed)
      }),
      { numRuns: 2000 * times },
    )
  })

  test('is printed with itself at hand as something that reads the same', { timeout }, () => {
    fc.assert(
      fc.property(source, (markdown) => {
        const { title, document } = fromMarkdown(markdown)
        if (title !== undefined) return
        const printed = toMarkdown(document, { source: markdown })
        same(fromMarkdown(printed).document, document, printed)
        const again = toMarkdown(document, { source: printed })
        same(fromMarkdown(again).document, document, again)
      }),
      { numRuns: 2000 * times },
    )
  })

  test('loses no word', { timeout }, () => {
    // Left out: what begins a script, a comment, a statement, a link definition, the label of an icon, or a cell beyond the last column.
    const unseen = ['<script>', 'export const x = 1', '[a]: b', '<i class="fa-x">', '<!--', '-->', '|', '| - |']
    const seen = syntax
      .filter((piece) => !unseen.includes(piece))
      .map((piece) => (/```|~~~/.test(piece) ? `${piece}\n` : piece))
      // The name of a container is no word, nor is what stands beside it: a line of its own for the word.
      .map((piece) => (/(?::::\w*|(?:!!!|\?\?\?) \w+)$/.test(piece) ? `${piece}\n` : piece))
    const worded = fc
      .array(fc.constantFrom(...seen), { maxLength: 20 })
      .map((parts) => parts.map((part, place) => `${part}kw${place}k`))
    fc.assert(
      fc.property(worded, (parts) => {
        const read = fromMarkdown(parts.join(''))
        // The name of a container that nobody knows becomes its title, with a capital.
        const kept = `${read.title} ${JSON.stringify(read)} ${toText(read.document)}`.toLowerCase()
        for (const place of parts.keys()) expect(kept, parts.join('')).toContain(`kw${place}k`)
      }),
      { numRuns: 1500 * times },
    )
  })
})
