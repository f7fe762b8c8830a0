/** The arrow between rooms, what is pure, and circles. */
import { describe, expect, test } from 'vitest'
import { code, roomOf, type Source, sources } from './sources.ts'

/** Rooms from left to right; a file may import its own room and rooms further right. Those on one line do not import each other. */
const arrow: readonly (readonly string[])[] = [
  ['main', 'open', 'cli'],
  ['http', 'jobs'],
  ['site', 'app'],
  ['theme'],
  ['domain', 'client'],
  ['store', 'platform'],
  ['threads'],
  ['contract'],
  ['core'],
]

/** Where a room sees less than everything to its right. */
const narrower: Record<string, readonly string[]> = {
  site: ['theme', 'client', 'threads', 'contract', 'core'],
  app: ['theme', 'client', 'contract', 'core'],
  theme: ['core'],
  client: ['contract', 'core'],
  store: ['threads', 'core'],
  platform: ['threads', 'core'],
  threads: ['core'],
}

describe('the arrow', () => {
  test('no file imports to its left, or past what it may see', () => {
    const wrong = sources.flatMap(({ file, imports }) =>
      imports
        .filter((other) => other.startsWith('src/') && !maySee(roomOf(file), roomOf(other)))
        .map((other) => `${file} imports ${other}`),
    )
    expect(wrong).toEqual([])
  })

  test('every room stands in it', () => {
    const known = new Set(arrow.flat())
    expect([...new Set(sources.map(({ file }) => roomOf(file)))].filter((room) => !known.has(room))).toEqual([])
  })

  test('core and contract are pure', () => {
    const allowed = new Set(['zod', ...purePackages()])
    const wrong = sources
      .filter(({ file }) => /^src\/(core|contract)\//.test(file))
      .flatMap(({ file, text, modules }) => [
        ...modules.filter((name) => !allowed.has(name)).map((name) => `${file} imports ${name}`),
        ...[...code(text).matchAll(/\b(Date\.now|new Date\(\)|Math\.random|process\.|globalThis\.|console\.)/g)].map(
          (match) => `${file} uses ${match[1]}`,
        ),
      ])
    expect(wrong).toEqual([])
  })

  test('only the store knows SQL', () => {
    const wrong = sources
      .filter(
        ({ file, modules }) =>
          !file.startsWith('src/store/') &&
          modules.some((name) => ['kysely', 'pg', '@photostructure/sqlite'].includes(name)),
      )
      .map(({ file }) => file)
    expect(wrong).toEqual([])
  })

  test('only one file starts threads that do tasks', () => {
    // The operations thread is a server of its own that answers for as long as the process lives; one is a browser's.
    const allowed = ['src/threads/pool.ts', 'src/http/operations/server.ts', 'src/app/editor/highlight/worker.ts']
    const wrong = sources.filter(({ file, text }) => /\bnew Worker\(/.test(code(text)) && !allowed.includes(file))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('migrations import nothing of ours', () => {
    const wrong = sources.filter(({ file, imports }) => file.startsWith('src/store/migrations/') && imports.length > 0)
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('nothing waits for the network inside a transaction: domain is given a fetch, it does not take one', () => {
    const wrong = sources.filter(
      ({ file, text }) => file.startsWith('src/domain/') && /^import \{.*platform\/fetch/m.test(text),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})

describe('circles', () => {
  // What holds blocks holds blocks: reading, printing, merging and rendering them is recursive by nature.
  const recursive = [
    'src/core/document/read/',
    'src/core/document/print/',
    'src/core/document/tree/normalise',
    'src/core/merge/',
    'src/site/render/',
  ]

  test('files do not import each other for values, but where the thing itself is recursive', () => {
    const wrong = circlesOf(sources).filter(
      (circle) => !recursive.some((place) => circle.every((file) => file.startsWith(place))),
    )
    expect(wrong).toEqual([])
  })

  test('printing a document never imports reading one', () => {
    const wrong = sources
      .filter(({ file }) => file.startsWith('src/core/document/print/'))
      .filter(({ imports }) => imports.some((other) => other.startsWith('src/core/document/read/')))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})

function maySee(from: string, to: string): boolean {
  if (from === to) return true
  const allowed = narrower[from]
  if (allowed) return allowed.includes(to)
  const line = (room: string) => arrow.findIndex((rooms) => rooms.includes(room))
  // The leftmost line is where the parts are joined: its files know each other.
  if (line(from) === 0) return true
  return line(from) < line(to)
}

/** Pure code from outside: packages that touch nothing but their arguments. */
function purePackages(): string[] {
  return ['markdown-it', 'yaml', 'js-yaml', 'smol-toml', 'diff', 'fractional-indexing', 'lru-cache', 'parse5', 'saxes']
}

/** Groups of files each of which reaches all others of its group (Tarjan's strongly connected components). */
function circlesOf(all: readonly Source[]): string[][] {
  const values = new Map(all.map((source) => [source.file, source.values]))
  const order = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const place = order.size
    order.set(file, place)
    stack.push(file)
    let low = place
    for (const other of values.get(file) ?? []) {
      if (!values.has(other)) continue
      if (!order.has(other)) low = Math.min(low, visit(other))
      else if (stack.includes(other)) low = Math.min(low, order.get(other) ?? low)
    }
    if (low === place) {
      const circle = stack.splice(stack.indexOf(file))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return low
  }
  for (const { file } of all) if (!order.has(file)) visit(file)
  return circles
}
