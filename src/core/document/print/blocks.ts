/**
 * Blocks as Markdown and the dialect, in the form that documentation repositories are written in: `*` for lists, `***`
 * for dividers, tags without empty lines inside.
 */

import { kebab, noteTarget, printLength } from '../syntax/attributes.ts'
import { readCodeNotation } from '../syntax/code-notation.ts'
import { escapeInfo, escapeLineStart, escapeText, longestTicks, printDestination } from '../syntax/escape.ts'
import { encodeHtml, printElement } from '../syntax/html-scan.ts'
import { printTag, quote } from '../syntax/tags.ts'
import { markerOf, printMarker, withoutMarker } from '../tree/conflict-marker.ts'
import { labelOf } from '../tree/labels.ts'
import type {
  AnyBlock,
  Block,
  Code,
  CodeLine,
  ContentRefBlock,
  Embed,
  Expandable,
  Image,
  Images,
  List,
  ListItem,
  Paragraph,
} from '../tree/nodes.ts'
import { fragmentNodes } from '../tree/walk.ts'
import { printApi, printTags } from './api.ts'
import { noteNameOf, type PrintContext, targetOf } from './context.ts'
import { htmlExact, htmlInlines, inPicture } from './html.ts'
import { printTable } from './table.ts'
import { printHeading, printParagraph, readsAs } from './words.ts'

/** The blocks with an empty line between them; nothing for the one empty paragraph that stands for no blocks. */
export function printBlocks(blocks: readonly Block[], context: PrintContext, isInside = true): string {
  if (isInside && blocks.length === 1 && blocks[0] !== undefined && isEmptyParagraph(blocks[0])) return ''
  return printAll(blocks, context).join('\n\n')
}

/** Lists that follow each other take turns with their markers, or they would be one list. */
function printAll(blocks: readonly Block[], context: PrintContext, inMarker?: string): string[] {
  let last: string | undefined
  return blocks.map((block, at) => {
    const marker = markerOf(block.data)
    if (marker) {
      last = undefined
      return printMarker(marker, printBlocks([withoutMarker(block)], context))
    }
    if (block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks') {
      // Lists that begin each other's items would be `* * *`, a divider.
      const isFirst = at === 0 && inMarker === '*'
      const [usual, other] = block.type === 'list-ordered' ? ['.', ')'] : isFirst ? ['-', '*'] : ['*', '-']
      last = last === usual ? other : usual
      return printList(block, last ?? '*', context)
    }
    last = undefined
    if (block.type === 'divider') return at === 0 && inMarker === '*' ? '---' : '***'
    return printBlock(block, context)
  })
}

function isEmptyParagraph(block: AnyBlock): block is Paragraph {
  return block.type === 'paragraph' && block.nodes.length === 0 && block.data.align === undefined
}

function printBlock(block: Exclude<Block, List>, context: PrintContext): string {
  switch (block.type) {
    case 'paragraph':
      return printParagraph(block, context)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return printHeading(block, context)
    case 'divider':
      return '***'
    case 'blockquote':
      return prefixLines(printBlocks(block.nodes, context), '> ', '> ')
    case 'code':
      return printCode(block, context)
    case 'math':
      return printMath(block.data.formula)
    case 'images':
      return printImages(block, context)
    case 'expandable':
      return printExpandable(block, context)
    case 'table':
      return printTable(block, context)
    case 'file':
      return printTag('file', [['src', targetOf(block.data.ref, context)]])
    case 'drawing':
      return printElement('img', [
        ['src', block.data.ref === undefined ? undefined : targetOf(block.data.ref, context)],
        ['alt', block.data.alt ?? ''],
        ['class', 'gitbook-drawing'],
      ])
    case 'embed':
      return printEmbed(block, context)
    case 'content-ref':
      return printContentRef(block, context)
    case 'reusable-content':
      return `{% include "${quote(targetOf(block.data.ref, context))}" %}`
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
    case 'integration':
      return printApi(block, context)
    default:
      return printTags(block, (nodes) => printBlocks(nodes, context))
  }
}

/** A caption is words between the tags; one that would be read as more is an attribute. */
function printEmbed(block: Embed, context: PrintContext): string {
  const { url, fullWidth, caption } = block.data
  const attributes = [
    ['url', url],
    ['fullWidth', fullWidth],
  ] as const
  if (caption === undefined) return printTag('embed', attributes)
  const printed = `${printTag('embed', attributes)}\n${escapeLineStart(escapeText(caption, false))}\n{% endembed %}`
  return !caption.includes('\n') && readsAs(printed, block, context)
    ? printed
    : printTag('embed', [...attributes, ['caption', caption]])
}

function printContentRef(block: ContentRefBlock, context: PrintContext): string {
  const { ref, label } = block.data
  const target = targetOf(ref, context)
  const print = (words: string, own?: string): string => {
    const link = `[${escapeText(words, true).replaceAll('\n', ' ')}](${printDestination(target)})`
    const open = printTag('content-ref', [
      ['url', target],
      ['label', own],
    ])
    return `${open}\n${link}\n{% endcontent-ref %}`
  }
  if (label === undefined) return print(labelOf(target))
  const printed = print(label)
  return readsAs(printed, block, context) ? printed : print(labelOf(target), label)
}

/** The first line begins with the one prefix, every other with the second; an empty line takes no spaces. */
export function prefixLines(content: string, first: string, rest: string): string {
  return content
    .split('\n')
    .map((line, at) => (line === '' ? (at === 0 ? first : rest).trimEnd() : (at === 0 ? first : rest) + line))
    .join('\n')
}

function printList(list: List, marker: string, context: PrintContext): string {
  const start = list.type === 'list-ordered' ? (list.data.start ?? 1) : 1
  const isTask = list.type === 'list-tasks'
  const printed = list.nodes.map((item, at) => {
    const sign = list.type === 'list-ordered' ? `${Math.min(start + at, 999_999_999)}${marker}` : marker
    return { item, sign, blocks: printItemBlocks(item, isTask ? undefined : sign, context) }
  })
  // Words that had to be HTML end with an empty line, and would swallow a list right below them.
  const isTight = list.nodes.every(isTightItem) && !printed.some(({ blocks }) => blocks.length > 1 && isHtml(blocks[0]))
  const items = printed.map(({ item, sign, blocks }) =>
    prefixLines(printItem(item, blocks, isTight, isTask), `${sign} `, ' '.repeat(sign.length + 1)),
  )
  return items.join(isTight ? '\n' : '\n\n')
}

function printItemBlocks(item: ListItem, inMarker: string | undefined, context: PrintContext): string[] {
  const [only] = item.nodes
  const isEmpty = item.nodes.length === 1 && only !== undefined && isEmptyParagraph(only)
  return isEmpty ? [] : printAll(item.nodes, context, inMarker)
}

const isHtml = (block: string | undefined): boolean => block !== undefined && /^<p[ >]/.test(block)

function printItem(item: ListItem, blocks: readonly string[], isTight: boolean, isTask: boolean): string {
  const marker = markerOf(item.data)
  const words = blocks.join(isTight ? '\n' : '\n\n')
  const content = marker ? printMarker(marker, words, { ofItem: true }) : words
  if (!isTask) return content
  const box = item.data.checked === true ? '[x]' : '[ ]'
  // The box goes before words; before anything else it stands alone.
  const isWords = !marker && item.nodes[0]?.type === 'paragraph' && blocks[0] !== undefined && !isHtml(blocks[0])
  return content === '' ? box : isWords ? `${box} ${content}` : `${box}\n\n${content}`
}

/** Words, and lists of such items below them: nothing that needs an empty line before it. */
function isTightItem(item: ListItem): boolean {
  const [first, ...rest] = item.nodes
  if (markerOf(item.data)) return false
  if (first?.type !== 'paragraph' || first.data.align !== undefined) return false
  if (first.nodes.length === 0) return rest.length === 0
  return rest.every((block) => {
    if (block.type === 'list-ordered')
      return (
        rest.length === 1 &&
        block.data.start === undefined &&
        block.nodes.every(isTightItem) &&
        !isBlankItem(block.nodes[0])
      )
    return (
      rest.length === 1 &&
      (block.type === 'list-unordered' || block.type === 'list-tasks') &&
      block.nodes.every(isTightItem) &&
      !isBlankItem(block.nodes[0])
    )
  })
}

function isBlankItem(item: ListItem | undefined): boolean {
  const [first] = item?.nodes ?? []
  return first === undefined || isEmptyParagraph(first)
}

function printMath(formula: string): string {
  const isSafe = formula.split('\n').every((line) => line.trim() !== '$$') && !/^\s|\s$/.test(formula)
  return isSafe ? `$$\n${formula}\n$$` : `${printElement('div', [['data-formula', formula]])}</div>`
}

function printCode(block: Code, context: PrintContext): string {
  const { syntax, ...data } = block.data
  const words = block.nodes.map(plainLine)
  if (!words.every((line) => line !== undefined)) return printPre(block, context)
  const source = words.join('\n')
  const fence = '`'.repeat(Math.max(2, longestTicks(source)) + 1)
  const fenced = `${fence}${escapeInfo(syntax ?? '')}\n${source}${source === '' ? '' : '\n'}${fence}`
  const attributes = Object.entries(data)
  return attributes.length === 0 ? fenced : `${printTag('code', attributes)}\n${fenced}\n{% endcode %}`
}

/** The text of a line that is nothing but text. */
function plainLine(line: CodeLine): string | undefined {
  if (line.data.highlighted === true || line.data.change !== undefined) return undefined
  const [only] = line.nodes
  if (only === undefined) return ''
  if (line.nodes.length > 1 || only.object !== 'text') return undefined
  const words = only.leaves.map((leaf) => leaf.text).join('')
  // A line that would be read as a mark of another one.
  return readCodeNotation(words) === undefined ? words : undefined
}

function printPre(block: Code, context: PrintContext): string {
  const { syntax, ...data } = block.data
  const attributes = Object.entries(data).map(
    ([name, value]) => [`data-${kebab(name)}`, value === false ? undefined : value] as const,
  )
  const open = printElement('pre', [['class', syntax === undefined ? undefined : `language-${syntax}`], ...attributes])
  const inner = printElement('code', [['class', syntax === undefined ? undefined : `lang-${syntax}`]])
  const lines = block.nodes.map((line) => {
    const words = line.nodes.map((node) => {
      if (node.object === 'text') return encodeHtml(node.leaves.map((leaf) => leaf.text).join(''))
      if (node.type === 'expression') return `<code class="expression">${htmlExact(node.data.expression)}</code>`
      const open = printElement('a', [
        ['data-footnote-ref', true],
        ['href', noteTarget(noteNameOf(node, context))],
      ])
      return `${open}${htmlExact(node.nodes.flatMap((part) => part.leaves.map((leaf) => leaf.text)).join(''))}</a>`
    })
    const printed = line.data.highlighted === true ? `<strong>${words.join('')}\n</strong>` : `${words.join('')}\n`
    const { change } = line.data
    return change === undefined ? printed : change === 'added' ? `<ins>${printed}</ins>` : `<del>${printed}</del>`
  })
  return `${open}${inner}${lines.join('')}</code></pre>`
}

export function printImages(block: Images, context: PrintContext): string {
  const { align, fullWidth, withFrame } = block.data
  const figures = block.nodes.map((image) => printFigure(image, context)).join('')
  if (block.nodes.length === 1 && align === undefined && fullWidth === undefined && withFrame === undefined)
    return figures
  const box = printElement('div', [
    ['align', align],
    ['data-full-width', fullWidth === true ? 'true' : undefined],
    ['data-with-frame', withFrame === true ? 'true' : undefined],
  ])
  return `${box}${figures}</div>`
}

function printFigure(image: Image, context: PrintContext): string {
  const { data } = image
  const img = printElement('img', [
    ['src', targetOf(data.ref, context)],
    ['alt', data.alt ?? ''],
    ['width', printLength(data.width)],
    ['height', printLength(data.height)],
  ])
  const picture = inPicture(img, data.refDark === undefined ? undefined : targetOf(data.refDark, context))
  const caption = image.fragments
    .flatMap((part) => part.nodes)
    .map((line) => `<p>${htmlInlines(line.nodes, context)}</p>`)
  return `<figure>${picture}<figcaption>${caption.join('')}</figcaption></figure>`
}

function printExpandable(block: Expandable, context: PrintContext): string {
  const title = fragmentNodes(block, 'expandable-title').flatMap((line) =>
    line.type === 'paragraph' ? line.nodes : [],
  )
  const body = printBlocks(fragmentNodes(block, 'expandable-body'), context)
  const { id, defaultExpanded } = block.data
  const open = `<details${id === undefined ? '' : ` id="${id}"`}${defaultExpanded === true ? ' open' : ''}>`
  const parts = [open, `<summary>${htmlInlines(title, context)}</summary>`, body, '</details>']
  return parts.filter((part) => part !== '').join('\n\n')
}
