/** Books that try to take too long, too much or what is not theirs, and a process that is killed half-way. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Book, BookBlock } from '../../src/core/book/book.ts'
import { assetFile } from '../../src/platform/assets.ts'
import { Hands } from '../../src/platform/typeset/hands.ts'
import { makeTypeset, type TypesetOptions } from '../../src/platform/typeset/typeset.ts'
import { imagesOn, readPdf } from '../kit/read-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-typeset-'))
const typesetIn = (options: Partial<TypesetOptions> = {}) => makeTypeset({ folder, ...options })

const words = (text: string): BookBlock => ({ kind: 'paragraph', content: [{ kind: 'text', text }] })
const bookOf = (blocks: BookBlock[], more: Partial<Book> = {}): Book => ({
  title: 'A book',
  date: '1 January',
  language: 'en',
  direction: 'ltr',
  color: '#3b5bdb',
  isWhole: true,
  hasPageNumbers: true,
  words: { contents: 'Contents', page: 'p.', hints: { info: 'Note', warning: '', danger: '', success: '' } },
  chapters: [{ label: 'L0', level: 1, title: 'First', blocks }],
  ...more,
})
const setsWell = async (): Promise<void> => {
  const { pages } = await readPdf(await typesetIn()(bookOf([words('Hello.')]), []))
  expect(pages.at(-1)).toContain('Hello.')
}

test('numbers of pages at links and in the contents are those of the pages they lead to', {
  timeout: 60_000,
}, async () => {
  const chapters = Array.from({ length: 30 }, (_, index) => ({
    label: `L${index}`,
    level: 1,
    title: `Chapter ${index}`,
    blocks: [
      words('Words that fill a page. '.repeat(index * 60)),
      {
        kind: 'paragraph',
        content: [{ kind: 'link', to: { label: `L${(index * 7) % 30}` }, content: [{ kind: 'text', text: 'see' }] }],
      },
    ] satisfies BookBlock[],
  }))
  const { pages, leadsTo, bookmarks } = await readPdf(await typesetIn()(bookOf([], { chapters }), []))
  // More than so few chapters usually take, so that room for a third digit is made only afterwards.
  expect(pages.length).toBeGreaterThan(99)
  expect(bookmarks).toEqual(chapters.map(({ title }) => title))
  expect(leadsTo).toHaveLength(60)
  expect(leadsTo).not.toContain(0)
  const printed = pages.join(' ').matchAll(/see\s+\(p\.\s*(\d+)\s*\)/g)
  // The first thirty links are those of the contents.
  expect([...printed].map(([, number]) => Number(number))).toEqual(leadsTo.slice(30))
  for (const [index, { title }] of chapters.entries()) expect(pages[(leadsTo[index] ?? 0) - 1]).toContain(title)
})

test('drawings without a size and pictures are drawn also where the folder of the data is a relative one', {
  timeout: 60_000,
}, async () => {
  const images = ['parts.svg', 'parts-dark.svg', 'app-page.png'].map((file, index) => ({
    name: `/${index}.${file.split('.')[1]}`,
    bytes: readFileSync(new URL(`../../docs/guide/.gitbook/assets/${file}`, import.meta.url)),
  }))
  const pictures = images.map(({ name }) => ({ image: name, alt: `the words of ${name}` }))
  const inline = pictures.map(({ image, alt }) => ({ kind: 'image' as const, image, alt }))
  const blocks: BookBlock[] = [
    { kind: 'pictures', align: 'center', pictures },
    { kind: 'paragraph', content: inline },
  ]
  const pdf = await typesetIn({ folder: relative(process.cwd(), folder) })(bookOf(blocks, { isWhole: false }), images)
  const { pages } = await readPdf(pdf)
  expect(pages.join(' ')).not.toContain('the words of')
  // What is written in the drawings can be read, once for each of the four places.
  expect(
    pages
      .join('')
      .replaceAll(' ', '')
      .match(/forreaders/g),
  ).toHaveLength(4)
  expect(await imagesOn(pdf, 1)).toBe(2)
})

test('code is copied as it was written', { timeout: 60_000 }, async () => {
  const written = 'fetch("https://a.example") !== x && y -> z <= 1 === 2 ::: ||'
  const code: BookBlock = { kind: 'code', text: written, isNumbered: false, highlighted: [] }
  const inline: BookBlock = { kind: 'paragraph', content: [{ kind: 'text', text: written, code: true }] }
  const { pages } = await readPdf(await typesetIn()(bookOf([code, inline], { isWhole: false }), []))
  const plain = (text: string) => text.replace(/\s/g, '')
  expect(plain(pages.join('')).split(plain(written))).toHaveLength(3)
})

test('an image that would unpack to gigabytes is replaced by its words, and those beside it are drawn', {
  timeout: 60_000,
}, async () => {
  const images = [
    { name: '/1.png', bytes: png(20_000, 20_000) },
    { name: '/2.png', bytes: png(10, 10) },
    {
      name: '/3.svg',
      bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    },
  ]
  const pictures = images.map(
    ({ name }): BookBlock => ({
      kind: 'pictures',
      align: 'left',
      pictures: [{ image: name, alt: `the words of ${name}` }],
    }),
  )
  const { pages } = await readPdf(await typesetIn({ memory: 400 })(bookOf([words('Before.'), ...pictures]), images))
  expect(pages.join(' ')).toContain('the words of /1.png')
  expect(pages.join(' ')).not.toContain('the words of /2.png')
  await setsWell()
})

test('a book that takes too long or too much ends with a sentence, and the next one is set', {
  timeout: 60_000,
}, async () => {
  // A million cells.
  const row = Array.from({ length: 100 }, () => ({ blocks: [words('x')] }))
  const cells = bookOf([{ kind: 'table', rows: Array.from({ length: 10_000 }, () => row), widths: row.map(() => 0) }])
  await expect(typesetIn({ milliseconds: 3_000 })(cells, [])).rejects.toMatchObject({ code: 'timeout' })
  await expect(typesetIn({ memory: 60 })(cells, [])).rejects.toMatchObject({ code: 'too_large' })
  await setsWell()
})

test('a process that is killed half-way costs its book, leaves no file, and the next is set', {
  timeout: 60_000,
}, async () => {
  const long = bookOf(Array.from({ length: 3_000 }, () => words('Words that take a while. '.repeat(20))))
  const book = typesetIn()(long, [])
  const outcome = expect(book).rejects.toMatchObject({ code: 'failed' })
  const pid = await childOf()
  execFileSync('kill', ['-9', String(pid)])
  await outcome
  expect(readdirSync(folder, { recursive: true })).toEqual(['empty'])
  await setsWell()
})

const setup = { template: assetFile('book/book.typ'), workspace: folder, fonts: [], systemFonts: [] }
const measureIn = (hands: Hands, blocks: BookBlock[], isLarge = false) => {
  const sheet = { ...bookOf([]), firstPage: 1, isMeasured: true, numbers: {}, digits: 2, sizes: {}, formulas: {} }
  const chapters = [{ label: 'L0', level: 1, title: 'First', blocks }]
  return hands.run({ kind: 'measure', sheet: { ...sheet, chapters } }, { isLarge })
}
const manyWords = Array.from({ length: 3000 }, () => words('Words that fill a page. '.repeat(40)))

test('a job that is too much for a process that has grown is done by a new one', { timeout: 60_000 }, async () => {
  let isShort = false
  const memory = (): number => {
    const megabytes = isShort ? 1 : 1000
    isShort = false
    return megabytes
  }
  const hands = new Hands(setup, { until: performance.now() + 60_000, memory }, 1)
  await measureIn(hands, [words('Hello.')])
  const long = measureIn(hands, manyWords)
  await wait(20)
  isShort = true
  expect((await long).head.pages).toBeGreaterThan(100)
  expect(isShort).toBe(false)
  hands.end()
  await expect.poll(children).toEqual([])
})

test('nothing begins beside a job that needs all the room', { timeout: 60_000 }, async () => {
  const hands = new Hands(setup, { until: performance.now() + 60_000, memory: () => 1000 }, 2)
  const ended: string[] = []
  const large = measureIn(hands, manyWords, true).then(() => ended.push('large'))
  await measureIn(hands, [words('Hello.')]).then(() => ended.push('small'))
  await large
  expect(ended).toEqual(['large', 'small'])
  hands.end()
  await expect.poll(children).toEqual([])
})

test('once a book has ended, no process is started for it', { timeout: 60_000 }, async () => {
  const hands = new Hands({ ...setup, template: '' }, { until: performance.now() + 60_000, memory: () => 400 }, 2)
  const outcome = hands.run({ kind: 'try', images: [] })
  hands.end()
  await expect(outcome).rejects.toThrow('Another part of the book could not be set.')
  expect(children()).toEqual([])
})

async function childOf(): Promise<number> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const [found] = children()
    if (found !== undefined) return found
  }
}

/** The typesetting processes that this one has started. */
function children(): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  const lines = listed.split('\n').filter((line) => line.includes('dist/typeset.js'))
  return lines.map((line) => Number(line.trim().split(' ')[0]))
}

/** A white image of any size, of which hardly a byte is there. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((width * 4 + 1) * Math.min(height, 2_000), 255))
  const data =
    height > 2_000
      ? rows
      : deflateSync(
          Buffer.concat(
            Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), Buffer.alloc(width * 4, 255)])),
          ),
        )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc(data: Buffer): number {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

test('formulas that would take minutes to turn into the notation of the typesetter come as their source', {
  timeout: 60_000,
}, async () => {
  const formulas = [
    `${'\\sqrt{'.repeat(30)}x${'}'.repeat(30)}`,
    `${'\\hat'.repeat(30)} y`,
    `\\def\\a{${'z'.repeat(1_500)}}${'\\a'.repeat(100)}`,
  ]
  const blocks = formulas.map((formula): BookBlock => ({ kind: 'math', formula }))
  const { pages } = await readPdf(await typesetIn({ milliseconds: 30_000 })(bookOf([...blocks, words('The end.')]), []))
  expect(pages.at(-1)).toContain('The end.')
})
