/** Files, their exports, their casts, and rows of the contract. */
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { code, roomOf, scripts, sources, tests } from './sources.ts'

/** Files that are started, not imported. */
const isEntry = (file: string): boolean =>
  file.startsWith('test/') ||
  file === 'src/main.ts' ||
  file === 'src/app/main.tsx' ||
  file === 'src/client/index.ts' ||
  file === 'src/theme/app-style.ts' ||
  /-(thread|child|worker)\.ts$/.test(file) ||
  file === 'src/app/early.ts' ||
  // What screens load when a page is opened.
  file === 'src/app/editor/index.ts' ||
  file === 'src/app/saving/index.ts' ||
  file.startsWith('src/site/browser/')

describe('files', () => {
  test('are at most 25 in a folder', () => {
    const counts = new Map<string, number>()
    for (const { file } of [...sources, ...tests, ...scripts])
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 25)).toEqual([])
  })

  test('have at most 500 lines', () => {
    // The words of a language are one table, however long.
    const isWords = (file: string): boolean => file.startsWith('src/app/texts/')
    const long = sources.filter(({ file, text }) => !isWords(file) && text.split('\n').length > 501)
    expect(long.map(({ file, text }) => `${file}: ${text.split('\n').length}`)).toEqual([])
  })

  test('are named in kebab-case', () => {
    const odd = sources.filter(({ file }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(basename(file)))
    expect(odd.map(({ file }) => file)).toEqual([])
  })

  test('say what they are about, where the name does not say it all', () => {
    const silent = sources.filter(({ file, text }) => !saysItAll(file) && !/^(\/\/[^\n]*\n)*\s*\/\*\*/.test(text))
    expect(silent.map(({ file }) => file)).toEqual([])
  })

  test('are all used', () => {
    const bySource = new Map([...sources, ...tests].map((source) => [source.file, source]))
    const seen = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      for (const other of bySource.get(file)?.imports ?? []) visit(other)
    }
    for (const { file } of [...sources, ...tests]) if (isEntry(file)) visit(file)
    const dead = sources.map(({ file }) => file).filter((file) => !seen.has(file))
    expect(dead).toEqual([])
  })
})

describe('exports', () => {
  test('of values are all imported by another file', () => {
    const taken = new Set<string>()
    const whole = new Set<string>()
    for (const { file, text } of [...sources, ...tests, ...scripts]) {
      const at = (name: string): string => normalize(join(dirname(file), name))
      for (const [, names = '', from = ''] of text.matchAll(
        /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?([^'"`;]*?)\bfrom\s*'(\.[^']+)'/g,
      )) {
        if (names.includes('*')) whole.add(at(from))
        for (const name of (/\{([^}]*)\}/.exec(names)?.[1] ?? '').split(','))
          taken.add(
            `${at(from)} ${
              name
                .trim()
                .replace(/^type\s+/, '')
                .split(/\s+as\s+/)[0]
            }`,
          )
      }
      for (const [, name = ''] of text.matchAll(/\b(?:import|new URL)\(\s*'(\.[^']+)'/g)) whole.add(at(name))
    }
    const dead = sources
      .filter(({ file }) => !isEntry(file) && !whole.has(file))
      .flatMap(({ file, text }) =>
        exportsOf(text)
          .map((name) => `${file} ${name}`)
          .filter((name) => !taken.has(name)),
      )
    expect(dead).toEqual([])
  })
})

describe('casts', () => {
  // What is left was counted once; a room whose number has fallen gets the lower one here.
  const most: Record<string, number> = {
    store: 64,
    core: 50,
    http: 48,
    domain: 44,
    app: 14,
    jobs: 12,
    client: 8,
    site: 10,
    contract: 4,
    platform: 6,
    cli: 4,
  }

  test('become fewer, never more', () => {
    const counts: Record<string, number> = {}
    for (const { file, text } of sources) {
      const found = castsIn(text)
      if (found > 0) counts[roomOf(file)] = (counts[roomOf(file)] ?? 0) + found
    }
    const above = Object.entries(counts).filter(([room, count]) => count > (most[room] ?? 0))
    expect(above).toEqual([])
  })

  test('are not hidden as `any` or as a promise that something is there', () => {
    const wrong = sources.filter(({ text }) => /\bas any\b|: any\b|<any>/.test(code(text)))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})

describe('rows of the contract', () => {
  test('are no wider than can be read, and few are wide', () => {
    const rows = sources
      .filter(({ file }) => file.startsWith('src/contract/'))
      .flatMap(({ text }) => text.split('\n').filter((line) => /^ {2}\w+: +(GET|POST|PUT|PATCH|DELETE) *\(/.test(line)))
    expect(rows.length).toBeGreaterThan(200)
    expect(rows.filter((row) => row.length > 350)).toEqual([])
    expect(rows.filter((row) => row.length > 200).length).toBeLessThanOrEqual(34)
  })
})

/** The values that a file declares and exports, and all names that it passes on from others. */
function exportsOf(text: string): string[] {
  const declared = code(text).matchAll(/(?:^|\n)export\s+(?:async\s+)?(?:const|let|function\*?|class)\s+(\w+)/g)
  const passedOn = [...code(text).matchAll(/(?:^|\n)export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)
          .at(-1) ?? '',
    ),
  )
  return [...[...declared].map(([, name = '']) => name), ...passedOn.filter((name) => name !== '')]
}

/** Casts that a type check takes on trust; `as const` is none, and a name in an import is none. */
function castsIn(text: string): number {
  const body = code(text).replace(/(?:^|\n)(?:import|export)\s+(?:type\s+)?[{*][^'"`;]*?\bfrom\b/g, '')
  return [
    ...body.matchAll(
      /[\w)\]}'"`]\s+as\s+(?!const\b)[A-Z{[(]|\s+as\s+(?:never|unknown|string|number|object|typeof|keyof)\b/g,
    ),
  ].length
}

const basename = (file: string): string => (file.split('/').at(-1) ?? '').replace(/\.tsx?$/, '')

/** A table of operations or their handlers is named for its section, and words for their language. */
const saysItAll = (file: string): boolean =>
  /^src\/(contract(\/[a-z-]+)?|domain|site\/locales|app\/texts)\/[a-z-]+\.ts$/.test(file) || file.endsWith('/index.ts')
