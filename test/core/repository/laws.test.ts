/**
 * The law of exports, on generated spaces: what an export writes, an import takes in and an export writes again, byte
 * for byte. And of imports: nothing of a generated repository is lost, and importing it again changes nothing.
 */
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContentRef, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { mapRefs } from '../../../src/core/document/tree/refs.ts'
import { foldPath, isSafePath } from '../../../src/core/repository/paths.ts'
import { putFiles, putPages, putReusable } from '../../../src/core/revision/content.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../src/core/revision/records.ts'
import { slugify } from '../../../src/core/text.ts'
import { document } from '../document/arbitrary-blocks.ts'
import { hostile } from '../document/arbitrary-text.ts'
import { type Memory, makeMemory, pagesOf } from './memory.ts'

const names = fc.constantFrom(
  'setup', 'Setup', 'a b', 'ünï', 'u\u0308ni', '日本語', '01-intro', '2. two', 'README', 'index', 'summary', 'x (1)', 'a%20b', 'a#b',
  'what?', 'con', '.hidden', 'node_modules', 'a.b', '-', "it's", 'a:b', 'long'.repeat(30), 'SUMMARY',
) // biome-ignore format: a list of names.

const title = fc.oneof(
  { weight: 3, arbitrary: names },
  { weight: 2, arbitrary: hostile },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
)

const optional = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const somewhere: Arbitrary<string> = fc.oneof(
  fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.md`),
  fc.array(names, { minLength: 1, maxLength: 2 }).map((parts) => `${parts.join('/')}/README.md`),
  fc.constantFrom('README.md', 'SUMMARY.md', '../out.md', '/etc/passwd', 'a/../b.md', '.git/config.md', 'docs/page.md'),
)

interface Seed {
  type: PageRecord['type']
  title: string
  fields: Partial<PageRecord>
  path: string | undefined
  body: JSONDocument
  target: number
  children: Seed[]
}

const fields: Arbitrary<Partial<PageRecord>> = fc.record({
  linkTitle: optional(title),
  emoji: optional(fc.constantFrom('🚀', ':x:')),
  icon: optional(fc.constantFrom('book', 'bolt')),
  description: optional(fc.oneof(hostile, fc.string({ maxLength: 200 }))),
  hidden: optional(fc.constant(true)),
  unlisted: optional(fc.record({ hidden: fc.boolean() })),
  noIndex: optional(fc.constant(true)),
  noRobotsIndex: optional(fc.constant(true)),
  condition: optional(fc.constantFrom('visitor.claims.beta', 'visitor.claims.plan == "pro"')),
  layout: optional(fc.record({ width: fc.constant('wide' as const), outline: fc.boolean() })),
  variables: optional(fc.dictionary(fc.constantFrom('a', 'b'), hostile)),
  tags: optional(fc.array(fc.constantFrom('one', 'two'), { minLength: 1 })),
  extra: optional(fc.record({ title: title, weight: fc.integer(), slug: fc.constantFrom('/a/b', 'fine', 3) })),
})

const seedAt = (depth: number): Arbitrary<Seed> =>
  fc.record({
    type: fc.constantFrom<PageRecord['type'][]>('document', 'document', 'document', 'group', 'link', 'computed'),
    title,
    fields,
    path: optional(somewhere),
    body: fc.oneof({ weight: 3, arbitrary: document(0) }, { weight: 1, arbitrary: document(1) }),
    target: fc.nat(100),
    children: depth === 0 ? fc.constant([]) : fc.array(seedAt(depth - 1), { maxLength: 3 }),
  })

const space = fc.record({
  roots: fc.array(seedAt(2), { maxLength: 4 }),
  files: fc.array(fc.record({ name: names, path: optional(somewhere), bytes: fc.string({ maxLength: 5 }) }), {
    maxLength: 5,
  }),
  reusable: fc.array(fc.record({ title, body: document(1), path: optional(somewhere) }), { maxLength: 3 }),
  variables: fc.dictionary(fc.constantFrom('A', 'b c', 'ü'), fc.oneof(hostile, fc.constantFrom('1', 'true', '', '~'))),
})

/** Fills a space as the API might have left it. */
async function fill(memory: Memory, made: typeof space extends Arbitrary<infer S> ? S : never): Promise<void> {
  const { writer, env } = memory
  const files: FileRecord[] = made.files.map(({ name, path, bytes }) => ({
    id: env.newId(),
    name: `${name}.png`,
    contentType: 'image/png',
    size: bytes.length,
    blob: memory.put(bytes),
    ...(path === undefined ? {} : { git: { oid: '', path: path.replace(/md$/, 'png') } }),
  }))
  const seeds = flatten(made.roots)
  const ids = new Map(seeds.map((one) => [one, env.newId()]))
  const reusableIds = made.reusable.map(() => env.newId())
  const targets = targetsOf([...ids.values()], files, reusableIds)
  const body = (tree: JSONDocument): Promise<string> => {
    let next = 0
    const pick = (ref: ContentRef): ContentRef => {
      next += 7
      return next % 3 === 0 ? ref : (targets[next % targets.length] ?? ref)
    }
    return writer.saveDocument(mapRefs(tree, pick))
  }
  const pages: PageRecord[] = []
  const place = async (level: Seed[], parent: string | undefined): Promise<void> => {
    const used = new Set<string>()
    for (const [at, one] of level.entries()) {
      let slug = slugify(one.title) || 'page'
      while (used.has(slug)) slug += '-x'
      used.add(slug)
      const id = ids.get(one) ?? ''
      const type = one.type === 'group' && parent !== undefined ? 'document' : one.type
      pages.push(
        clean({
          id,
          type,
          parent,
          rank: `a${at}`,
          title: one.title,
          ...one.fields,
          slug: type === 'link' ? undefined : slug,
          document: type === 'document' && one.body.nodes.length > 0 ? await body(one.body) : undefined,
          target: type === 'link' ? targets[one.target % targets.length] : undefined,
          computed: type === 'computed' ? { props: { models: true }, type: 'builtin:openapi' } : undefined,
          git: type === 'document' && one.path !== undefined ? { oid: '', path: one.path } : undefined,
          cover:
            type === 'document' && one.target % 5 === 0 && files[0]
              ? { ref: { kind: 'file', file: files[0].id }, yPos: 3 }
              : undefined,
        }),
      )
      if (type === 'document' || type === 'group') await place(one.children, id)
    }
  }
  await place(made.roots, undefined)
  const reusable: ReusableRecord[] = []
  for (const [at, one] of made.reusable.entries()) {
    const git = one.path === undefined ? {} : { git: { oid: '', path: `.gitbook/includes/${one.path}` } }
    reusable.push({ id: reusableIds[at] ?? '', title: one.title, document: await body(one.body), ...git })
  }
  let content = await putPages(
    writer,
    memory.content,
    pages.map((after) => ({ after })),
  )
  content = await putFiles(writer, content, new Map(files.map((file) => [file.id, file])))
  content = await putReusable(writer, content, new Map(reusable.map((one) => [one.id, one])))
  memory.content = { ...content, variables: made.variables }
}

function targetsOf(pages: string[], files: FileRecord[], reusable: string[]): ContentRef[] {
  return [
    ...pages.map((page): ContentRef => ({ kind: 'page', page })),
    ...pages.map((page): ContentRef => ({ kind: 'anchor', page, anchor: 'the-heading' })),
    ...files.map(({ id }): ContentRef => ({ kind: 'file', file: id })),
    ...reusable.map((reusableContent): ContentRef => ({ kind: 'reusable-content', reusableContent })),
    { kind: 'page', page: 'gone' },
    { kind: 'page', page: 'there', space: 'elsewhere' },
    { kind: 'anchor', anchor: 'here' },
    { kind: 'space', space: 'elsewhere' },
    ...[
      'https://example.org/?a=b&c',
      './setup.md',
      '../setup.md#x',
      'SETUP',
      'a/',
      '',
      'readme.md?x=1',
      'a%20b.md',
    ].map((url): ContentRef => ({ kind: 'url', url })),
  ]
}

const flatten = (seeds: Seed[]): Seed[] => seeds.flatMap((one) => [one, ...flatten(one.children)])

const clean = (page: { [K in keyof PageRecord]: PageRecord[K] | undefined }): PageRecord =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as unknown as PageRecord

describe('an export', () => {
  test('is, imported and exported again, the same to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(space, async (made) => {
        const memory = makeMemory()
        await fill(memory, made)
        const first = await memory.export()
        for (const path of first.keys()) expect(isSafePath(path), path).toBe(true)
        expect(new Set([...first.keys()].map(foldPath)).size).toBe(first.size)
        const other = makeMemory()
        await other.import(first)
        expect(new Map([...(await other.export())].sort())).toEqual(new Map([...first].sort()))
        // Where a page stands that nobody lists is not written anywhere.
        if (flatten(made.roots).some((one) => one.fields.hidden && one.fields.unlisted)) return
        const [before, after] = [await pagesOf(memory), await pagesOf(other)]
        expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    )
  }, 600_000)

  test('imported again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(space, async (made) => {
        const memory = makeMemory()
        await fill(memory, made)
        const folder = await memory.export()
        const other = makeMemory()
        await other.import(folder)
        const once = other.content
        const again = await other.import(folder)
        expect(other.content).toEqual(once)
        expect(again.pages).toMatchObject({ added: 0, changed: 0, removed: 0 })
        await other.import(folder, { replace: true })
        expect(other.content).toEqual(once)
      }),
      { numRuns: Number(process.env.RUNS ?? 30) },
    )
  }, 600_000)
})
