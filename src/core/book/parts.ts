/**
 * A book in parts that are set one after another: what the typesetter needs of memory grows with what it sets at once, and
 * a part has a bounded weight whatever the size of the book. A part begins on a new page, so parts end where chapters do;
 * only a chapter that is too heavy by itself is divided between its blocks, and a table or listing between its rows.
 */
import type { Book, BookBlock, Chapter } from './book.ts'

/** Some forty pages of text. */
const heaviest = 160_000
/** An image is unpacked before it is drawn: so many of its dots weigh as much as a byte of text. */
const dotsPerByte = 160

export interface Part {
  chapters: Chapter[]
  /** The names of its images. */
  images: string[]
}

/** An entry of the contents and of the bookmarks. */
export interface Entry {
  level: number
  title: string
  label: string
}

export type Sizes = Readonly<Record<string, { width: number; height: number }>>

/**
 * One part after another, so that weighing a large book does not hold anything else up; in between, where it takes long,
 * nothing, for others to have a turn.
 */
export function* partsOf(chapters: readonly Chapter[], sizes: Sizes): Generator<Part | undefined> {
  let part: Part = { chapters: [], images: [] }
  let weight = 0
  const weigh = weigher(sizes)
  for (const whole of chapters) {
    yield
    for (const chapter of yield* divideChapter(whole, weigh)) {
      const own = weigh(chapter)
      // A chapter of the first level begins on a new page anyway: a part that is half full ends before it.
      if (weight > 0 && (weight + own > heaviest || (chapter.level === 1 && weight > heaviest / 2))) {
        yield part
        part = { chapters: [], images: [] }
        weight = 0
      }
      part.chapters.push(chapter)
      for (const name of imagesIn(chapter)) if (!part.images.includes(name)) part.images.push(name)
      weight += own
    }
  }
  yield part
}

/** What the contents list: chapters and their larger headings, or chapters alone where that would be a book in itself. */
export function entriesOf({ chapters }: Book): Entry[] {
  const all = chapters.flatMap((chapter): Entry[] => [
    { level: Math.min(chapter.level, 3), title: chapter.title, label: chapter.label },
    ...chapter.blocks.flatMap((block) =>
      block.kind === 'heading' && block.level <= 3 && block.label !== undefined
        ? [{ level: block.level, title: wordsOf(block.content), label: block.label }]
        : [],
    ),
  ])
  const labels = new Set(chapters.map((chapter) => chapter.label))
  return all.length <= mostEntries ? all : all.filter((entry) => labels.has(entry.label))
}
const mostEntries = 600

type Weigh = (value: unknown) => number

/** Weighs about the characters of the JSON and the dots of images; what is too heavy is not weighed to its end. */
function weigher(sizes: Sizes): Weigh {
  return (value) => {
    let weight = 0
    const seen = new Set<string>()
    const add = (inner: unknown): void => {
      if (weight > heaviest) return
      if (typeof inner === 'string') weight += inner.length + 2
      else if (typeof inner !== 'object' || inner === null) weight += 4
      else if (Array.isArray(inner)) for (const item of inner) add(item)
      else for (const [name, item] of Object.entries(inner)) addNamed(name, item)
      weight += 2
    }
    const addNamed = (name: string, inner: unknown): void => {
      weight += name.length + 2
      if (name === 'image' && typeof inner === 'string' && !seen.has(inner)) {
        seen.add(inner)
        const { width, height } = sizes[inner] ?? { width: 0, height: 0 }
        weight += (width * height) / dotsPerByte
      }
      add(inner)
    }
    add(value)
    return weight
  }
}

function* divideChapter(chapter: Chapter, weigh: Weigh): Generator<undefined, Chapter[]> {
  if (weigh(chapter) <= heaviest) return [chapter]
  const pieces: BookBlock[][] = [[]]
  let weight = 0
  for (const whole of chapter.blocks) {
    const blocks = divideBlock(whole, weigh)
    if (blocks.length > 1) yield
    for (const block of blocks) {
      const own = weigh(block)
      if (weight > 0 && weight + own > heaviest) {
        pieces.push([])
        weight = 0
        yield
      }
      pieces.at(-1)?.push(block)
      weight += own
    }
  }
  return pieces.map((blocks, index) => (index === 0 ? { ...chapter, blocks } : { ...chapter, blocks, continues: true }))
}

function divideBlock(block: BookBlock, weigh: Weigh): BookBlock[] {
  if (weigh(block) <= heaviest) return [block]
  switch (block.kind) {
    // Rows that are spanned stay together: such a table is not divided.
    case 'table':
      if (block.rows.some((row) => row.some((cell) => (cell.rows ?? 1) > 1))) return [block]
      return groupsOf(block.rows, weigh).map(([rows]) => ({ ...block, rows }))
    case 'list':
      return groupsOf(block.items, weigh).map(([items, before]) => ({
        ...block,
        items,
        start: (block.start ?? 1) + before,
      }))
    case 'steps':
      return groupsOf(block.steps, weigh).map(([steps, before]) => ({ kind: 'steps', steps, start: 1 + before }))
    case 'code':
      return block.isNumbered || block.highlighted.length > 0
        ? [block]
        : groupsOf(block.text.split('\n'), weigh).map(([lines]) => ({ ...block, text: lines.join('\n') }))
    // What stands in a frame goes on in another, without its title.
    case 'labelled':
      return groupsOf(divided(block.blocks, weigh), weigh).map(([blocks, before]) => ({
        kind: 'labelled',
        title: before === 0 ? block.title : [],
        blocks,
      }))
    case 'hint':
    case 'quote':
      return groupsOf(divided(block.blocks, weigh), weigh).map(([blocks]) => ({ ...block, blocks }))
    default:
      return [block]
  }
}

const divided = (blocks: readonly BookBlock[], weigh: Weigh): BookBlock[] =>
  blocks.flatMap((block) => divideBlock(block, weigh))

/** In groups of which each is light enough to stand beside others; each with how many came before it. */
function groupsOf<T>(items: readonly T[], weigh: Weigh): [items: T[], before: number][] {
  const groups: [T[], number][] = []
  let weight = heaviest
  items.forEach((item, index) => {
    const own = weigh(item)
    weight += own
    if (weight > heaviest / 2) {
      groups.push([[], index])
      weight = own
    }
    groups.at(-1)?.[0].push(item)
  })
  return groups
}

/** The labels that something in here links to. */
export function labelsIn(value: unknown): Set<string> {
  const found = new Set<string>()
  visitValues(value, (name, inner) => {
    if (name === 'to' && typeof inner === 'object' && inner !== null && 'label' in inner) found.add(String(inner.label))
  })
  return found
}

function imagesIn(value: unknown): string[] {
  const found = new Set<string>()
  visitValues(value, (name, inner) => {
    if (name === 'image' && typeof inner === 'string') found.add(inner)
  })
  return [...found]
}

function visitValues(value: unknown, see: (name: string, inner: unknown) => void): void {
  if (Array.isArray(value)) for (const inner of value) visitValues(inner, see)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      see(name, inner)
      visitValues(inner, see)
    }
}

function wordsOf(content: Extract<BookBlock, { kind: 'heading' }>['content']): string {
  return content
    .map((inline) => {
      if (inline.kind === 'text') return inline.text
      if (inline.kind === 'link' || inline.kind === 'note') return wordsOf(inline.content)
      return inline.kind === 'math' ? inline.formula : inline.alt
    })
    .join('')
}
