/** What STYLE.md and ARCHITECTURE.md promise and a rule can check. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

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

const packages: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies
const allPackages: Record<string, string> = {
  ...packages,
  ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies,
}

interface Source {
  file: string
  text: string
  /** Files of ours, from the root. */
  imports: string[]
  /** Those of them that are needed while it runs: not for their types alone. */
  values: string[]
  /** Packages and modules of Node. */
  modules: string[]
}

const sources = filesIn('src').map(read)
const tests = [...filesIn('test'), ...filesIn('bench')].map(read)
const scripts = [...filesIn('scripts', /\.js$/), ...filesIn('bench', /\.js$/), ...filesIn('test', /\.js$/)].map(read)

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

describe('files', () => {
  test('are at most 25 in a folder', () => {
    const counts = new Map<string, number>()
    for (const { file } of [...sources, ...tests]) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
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

describe('caches', () => {
  test('have shares that stay below the whole', () => {
    const shares = sources.flatMap(({ text }) =>
      [...text.matchAll(/defineCache[^(]*\([^)]*\bshare: ([\d.]+)/g)].map((match) => Number(match[1])),
    )
    expect(shares.length).toBeGreaterThan(5)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1)
  })

  test('stand in the object that is handed around: what a module keeps by itself is listed in ARCHITECTURE.md', () => {
    const runsInBrowsers = /^src\/(app|site\/browser)\//
    const kept = sources
      .filter(({ file }) => !runsInBrowsers.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^(?:export )?(?:const|let) (\w+)[^=\n]*= new (?:Map|Set|LRUCache)(?:<.*>)?\((.*)$/gm)]
          .filter(([, , given = '']) => given === ')' || given.startsWith('{'))
          .map(([, name]) => `\`${file}\`: ${name}`),
      )
    const listed = [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^- (`[\w./-]+\.ts`: \w+),/gm)].map(
      ([, entry]) => entry,
    )
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.sort()).toEqual(listed.sort())
  })
})

describe('words', () => {
  test('of other people’s codebases do not name things here', () => {
    const wrong = sources.flatMap(({ file, text }) =>
      [
        ...code(text).matchAll(
          /\b(?:class|interface|type|function|const|let)\s+(\w*(?:Service|Manager|Helper|Impl|Utils)|utils|helpers?)\b/g,
        ),
      ].map((match) => `${file}: ${match[1]}`),
    )
    const files = sources
      .filter(({ file }) => /(^|[/-])(service|manager|helpers?|utils?|impl)\b/.test(file))
      .map(({ file }) => file)
    expect([...wrong, ...files]).toEqual([])
  })

  test('do not promise to be done later', () => {
    const wrong = [...sources, ...tests].filter(
      ({ file, text }) => file !== 'test/tidy.test.ts' && /\b(TODO|FIXME|XXX|HACK)\b/.test(text),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('no test is left out or alone', () => {
    const wrong = tests.filter(
      ({ file, text }) => file !== 'test/tidy.test.ts' && /\b(test|describe|it)\.(only|skip|todo)\(/.test(text),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})

describe('pages about the sources', () => {
  const pages = [
    'ARCHITECTURE.md',
    'STYLE.md',
    'CONTRIBUTING.md',
    'README.md',
    'test/kit/README.md',
    'test/faults/README.md',
  ]
  const all = [...pages, ...filesIn('docs/decisions', /\.md$/), 'docs/rooms.md', ...filesIn('docs/benchmarks', /\.md$/)]

  test('name files that are there', () => {
    const wrong = all.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      const named = [...text.matchAll(/`((?!\.)(?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|js|md|typ))`/g)].map(
        ([, name = '']) => name,
      )
      const linked = [...text.matchAll(/\]\(([^)#\s:]+)/g)].map(([, name = '']) => join(dirname(page), name))
      const isThere = (name: string): boolean =>
        ['', 'src', 'src/domain'].some((folder) => existsSync(join(root, folder, name)))
      return [...named, ...linked].filter((name) => !isThere(name)).map((name) => `${page} names ${name}`)
    })
    expect(wrong).toEqual([])
  })

  test('draw the tree as it is', () => {
    const [, drawn = ''] = /\n```\n(bin\/[\s\S]*?)\n```/.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? []
    const folders: string[] = []
    const named = drawn.split('\n').flatMap((line) => {
      const [, indent = '', words = ''] = /^( *)(.*)$/.exec(line) ?? []
      const names = /^(?:[\w.-]+(?:\/|\.tsx?|\.js)(?=\s|$)\s?)*/.exec(words)?.[0].trim().split(' ') ?? []
      const depth = indent.length / 2
      const paths = names.filter((name) => name !== '').map((name) => join(...folders.slice(0, depth), name))
      // Lines that go on from the one above are indented to its words.
      if (names[0] !== '' && paths.length > 0) folders.splice(depth, folders.length, names[0] ?? '')
      return depth > 4 ? [] : paths
    })
    expect(named.length).toBeGreaterThan(70)
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })
})

describe('dependencies', () => {
  test('are pinned exactly', () => {
    expect(Object.entries(allPackages).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('are used, and nothing else is', () => {
    const isApp = ({ file }: Source): boolean => file.startsWith('src/app/')
    const usedIn = (files: readonly Source[]): Set<string> =>
      new Set(files.flatMap(({ modules }) => modules).filter((name) => !name.startsWith('node:')))
    const used = usedIn(sources.filter((source) => !isApp(source)))
    expect([...used].filter((name) => !(name in packages))).toEqual([])
    // What the app uses is inside its bundle, so that nobody who installs the package installs it.
    expect([...usedIn(sources.filter(isApp))].filter((name) => !(name in allPackages))).toEqual([])
    expect(Object.keys(packages).filter((name) => !used.has(name))).toEqual([])
  })

  test('have each a line in ARCHITECTURE.md, and no line is of one that is gone', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const words = new Set(text.split(/[\s|`,]+/))
    const bundled = sources.flatMap(({ file, modules }) => (file.startsWith('src/app/') ? modules : []))
    const named = [...Object.keys(packages), ...new Set(bundled)]
    expect(named.filter((name) => !words.has(name))).toEqual([])
    const [, tables = ''] = text.split('\n## Dependencies\n')
    const rows = [...tables.matchAll(/^\| ([@a-z][^|]*?) *\|/gm)].flatMap(([, names = '']) => names.split(', '))
    expect(rows.filter((name) => name !== 'package' && !(name in allPackages))).toEqual([])
  })
})

function filesIn(folder: string, named = /\.tsx?$/): string[] {
  const full = join(root, folder)
  if (!existsSync(full)) return []
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function read(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const named = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  const isOurs = (name: string) => name.startsWith('.')
  return {
    file,
    text,
    imports: named.filter(isOurs).map((name) => normalize(join(dirname(file), name))),
    values: [...text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\b)([^'"`;]*?)\bfrom\s*'(\.[^']+)'/g)]
      .filter(([, names = '']) => names.split(',').some((name) => !/^\s*\{?\s*(type\b|\}|$)/.test(name)))
      .map(([, , name = '']) => normalize(join(dirname(file), name))),
    modules: named.filter((name) => !isOurs(name)).map(packageOf),
  }
}

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

function packageOf(name: string): string {
  if (name.startsWith('node:')) return name
  const [first = '', second = ''] = name.split('/')
  return name.startsWith('@') ? `${first}/${second}` : first
}

/** `src/http/serve.ts` is in `http`; `src/main.ts` is a room by itself. */
const roomOf = (file: string): string => (file.split('/')[1] ?? '').replace(/\.ts$/, '')

function maySee(from: string, to: string): boolean {
  if (from === to) return true
  const allowed = narrower[from]
  if (allowed) return allowed.includes(to)
  const line = (room: string) => arrow.findIndex((rooms) => rooms.includes(room))
  // The leftmost line is where the parts are joined: its files know each other.
  if (line(from) === 0) return true
  return line(from) < line(to)
}

const basename = (file: string): string => (file.split('/').at(-1) ?? '').replace(/\.tsx?$/, '')

/** A table of operations or their handlers is named for its section, and words for their language. */
const saysItAll = (file: string): boolean =>
  /^src\/(contract(\/[a-z-]+)?|domain|site\/locales|app\/texts)\/[a-z-]+\.ts$/.test(file) || file.endsWith('/index.ts')

/** The text without comments and strings, roughly: enough to look for words. */
const code = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")

/** Pure code from outside: packages that touch nothing but their arguments. */
function purePackages(): string[] {
  return ['markdown-it', 'yaml', 'js-yaml', 'diff', 'fractional-indexing', 'lru-cache', 'parse5', 'saxes']
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

test('npm start and npx lectern start Node with the same options', () => {
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  const [first] = readFileSync(join(root, 'bin/lectern.js'), 'utf8').split('\n')
  expect(first).toMatch(/ --v8-pool-size=0( |$)/)
  expect(start).toContain(`${first?.replace('#!/usr/bin/env -S ', '')} bin/lectern.js serve`)
})
