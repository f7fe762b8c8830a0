/**
 * How wide the columns of a table are on paper, and where words too long for theirs may be broken.
 *
 * Widths are shares of the width of the text, worked out from what the cells say, since the typesetter's own way gives all
 * to the first columns. All sizes here are estimates in ems: a column needs its longest word, and would like its longest
 * line; what is left is shared out between the two.
 */
import type { BookBlock, BookInline, Cell } from './book.ts'

interface Wish {
  needed: number
  liked: number
}

/** Rows that are looked at; those behind them seldom differ. */
const mostRows = 300
/** Characters of a line that are looked at: a longer one is broken anyway. */
const longestLine = 300
/** The width of the text between the margins (assets/book/book.typ), and the room beside what stands in a cell. */
const textPoints = 459
const insetPoints = 12
/** Authors choose widths in pixels of a page on a screen; what has none takes the rest of it. */
const screenPixels = 740
const leastPixels = 80
const zeroWidthSpace = '\u200b'

/** `given`: the widths that the author chose, 0 for none. */
export function columnWidths(given: readonly number[], head: readonly Cell[], rows: readonly Cell[][]): number[] {
  const count = given.length
  const room = roomOf(count)
  const chosen = sum(given)
  if (chosen > 0) {
    const open = given.filter((width) => width <= 0).length
    const rest = Math.max(screenPixels - chosen, open * leastPixels) / Math.max(1, open)
    return sharesOf(given.map((width) => Math.max(width > 0 ? width : rest, leastPixels / 2)))
  }
  const wishes = given.map((): Wish => ({ needed: 2, liked: 2 }))
  for (const row of [head, ...rows.slice(0, mostRows)]) {
    // Where cells span others, which column a cell stands in is not known from its row alone.
    if (row.length !== count) continue
    row.forEach((cell, index) => {
      const wish = wishes[index]
      if (!wish || cell.columns !== undefined) return
      const { needed, liked } = withSlack(wishOfBlocks(cell.blocks), row === head)
      wish.needed = Math.max(wish.needed, needed)
      wish.liked = Math.max(wish.liked, needed, liked)
    })
  }
  return sharesOf(share(wishes, room))
}

/** The same cell, in which whatever is wider than its column can be broken. */
export function withBreaks(cell: Cell, widths: readonly number[], index: number): Cell {
  const room = (widths[index] ?? 1) * roomOf(widths.length)
  if (cell.columns !== undefined || wishOfBlocks(cell.blocks).needed <= room) return cell
  return { ...cell, blocks: cell.blocks.map((block) => breakBlock(block, room)) }
}

/** Estimates err, and a word that just does not fit is worse than a little air. Heads are bold. */
const withSlack = ({ needed, liked }: Wish, isHead: boolean): Wish => {
  const factor = isHead ? 1.15 : 1.06
  return { needed: needed * factor + 0.5, liked: liked * factor + 0.5 }
}

function roomOf(count: number): number {
  const points = count > 6 ? 7.4 : count > 4 ? 8.2 : 9
  return Math.max(count, (textPoints - insetPoints * count) / points)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function sharesOf(widths: readonly number[]): number[] {
  const whole = sum(widths)
  return widths.map((width) => Math.round((width / whole) * 10_000) / 10_000)
}

function share(wishes: readonly Wish[], room: number): number[] {
  const liked = sum(wishes.map((wish) => wish.liked))
  if (liked <= room) return wishes.map((wish) => wish.liked)
  const needed = sum(wishes.map((wish) => wish.needed))
  if (needed > room) return level(wishes, room)
  return wishes.map((wish) => wish.needed + ((room - needed) * (wish.liked - wish.needed)) / (liked - needed))
}

/** Too little for all: those that need little get it, the others share the rest evenly. */
function level(wishes: readonly Wish[], room: number): number[] {
  let left = room
  const byNeed = wishes.map(({ needed }, column) => ({ needed, column })).sort((a, b) => a.needed - b.needed)
  const widths = wishes.map(() => 0)
  byNeed.forEach(({ needed, column }, index) => {
    const width = Math.min(needed, left / (byNeed.length - index))
    widths[column] = width
    left -= width
  })
  return widths
}

function wishOfBlocks(blocks: readonly BookBlock[]): Wish {
  let [needed, liked] = [0, 0]
  const add = (wish: Wish, indent = 0): void => {
    needed = Math.max(needed, wish.needed + indent)
    liked = Math.max(liked, wish.liked + indent)
  }
  for (const block of blocks) {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        add(wishOfInlines(block.content))
        break
      case 'list':
        for (const item of block.items) add(wishOfBlocks(item), 1.6)
        break
      case 'tasks':
        for (const item of block.items) add(wishOfBlocks(item.blocks), 1.6)
        break
      case 'code':
        for (const line of block.text.split('\n', 40)) add({ needed: 8, liked: widthOf(line, true) }, 2)
        break
      case 'pictures':
        add({ needed: 5, liked: 16 })
        break
      default:
        add({ needed: 6, liked: 20 })
    }
  }
  return { needed, liked }
}

function wishOfInlines(content: readonly BookInline[]): Wish {
  let [needed, line, liked] = [0, 0, 0]
  const visit = (nodes: readonly BookInline[], more = 0): void => {
    for (const node of nodes) {
      if (node.kind === 'text') {
        const isCode = node.code === true
        for (const [index, part] of node.text
          .slice(0, longestLine * 4)
          .split('\n')
          .entries()) {
          if (index > 0) line = 0
          line += widthOf(part, isCode) + more
          liked = Math.max(liked, Math.min(line, longestLine))
        }
        for (const word of wordsOf(node.text)) needed = Math.max(needed, widthOf(word, isCode))
      } else if (node.kind === 'link') visit(node.content, 'label' in node.to ? 3 : 0)
      else if (node.kind === 'note') visit(node.content, 1)
      else {
        line += node.kind === 'math' ? node.formula.length / 3 : 1.5
        liked = Math.max(liked, line)
      }
    }
  }
  visit(content)
  return { needed, liked }
}

/** What the typesetter keeps on one line: it breaks at spaces, and after strokes. */
const wordsOf = (text: string): string[] => text.slice(0, longestLine * 4).match(/[^\s/-]+[/-]*|[/-]+/g) ?? []

function widthOf(text: string, isCode: boolean): number {
  let width = isCode ? 0.6 : 0
  for (const character of text.slice(0, longestLine)) width += isCode ? 0.52 : characterWidth(character)
  return width
}

function characterWidth(character: string): number {
  if (character >= '\u2e80') return 1
  // A dash and dots: with one character beyond Latin-1 outside of a text, V8 keeps the whole built file in twice the memory.
  if (/[MWmw@%\u2014\u2026]/.test(character)) return 0.85
  if (/[iljtfrI.,:;!'|() ]/.test(character)) return 0.34
  return character >= 'A' && character <= 'Z' ? 0.69 : 0.58
}

function breakBlock(block: BookBlock, room: number): BookBlock {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return { ...block, content: breakInlines(block.content, room) }
    case 'list':
      return { ...block, items: block.items.map((item) => item.map((inner) => breakBlock(inner, room - 1.6))) }
    default:
      return block
  }
}

const breakInlines = (content: readonly BookInline[], room: number): BookInline[] =>
  content.map((node) => {
    if (node.kind === 'link') return { ...node, content: breakInlines(node.content, room) }
    return node.kind === 'text' ? { ...node, text: breakText(node.text, room, node.code === true) } : node
  })

/** Words of letters are divided by the rules of their language; what no rule divides is, first of all at its seams. */
function breakText(text: string, room: number, isCode: boolean): string {
  return text.replace(/[^\s/-]+/g, (word) => {
    if (widthOf(word, isCode) <= room) return word
    if (!isCode && word.length <= 30 && /^[\p{L}\p{M}.,:;!?()'"]+$/u.test(word)) return word
    const seamed = word.replace(
      /([._:@=&?#,;)\]}>|+])(?=[^\s._:@=&?#,;)\]}>|+])|([\p{Ll}])(?=\p{Lu})/gu,
      `$&${zeroWidthSpace}`,
    )
    const most = Math.max(4, Math.floor(room / 0.62))
    return seamed
      .split(zeroWidthSpace)
      .map((piece) => (widthOf(piece, isCode) <= room ? piece : [...chunksOf([...piece], most)].join(zeroWidthSpace)))
      .join(zeroWidthSpace)
  })
}

function* chunksOf(characters: readonly string[], size: number): Generator<string> {
  for (let from = 0; from < characters.length; from += size) yield characters.slice(from, from + size).join('')
}
