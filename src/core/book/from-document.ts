/**
 * A page's document as blocks of a book: what folds is unfolded, what plays is named, what is beside is below where paper
 * has no room for it. Nothing is left out but what only a screen can do.
 */
import { anchorsOf } from '../document/text/anchors.ts'
import { diagramOf } from '../document/text/diagram.ts'
import { textOf } from '../document/text/to-text.ts'
import { code as makeCode } from '../document/tree/make.ts'
import type { Block, Code, Image, JSONDocument, Length, ListItem } from '../document/tree/nodes.ts'
import type { BookBlock, BookInline, Picture } from './book.ts'
import { type BookRefs, bookInlines, plain } from './inlines.ts'
import { bookTable } from './tables.ts'

/** Piece after piece: between them nothing comes, for others to have a turn. */
export function* bookBlocks(
  document: JSONDocument,
  options: { refs: BookRefs; level: number },
): Generator<undefined, BookBlock[]> {
  const anchors = anchorsOf(document)
  const { refs, level } = options

  const inlines = (nodes: Parameters<typeof bookInlines>[0]): BookInline[] => bookInlines(nodes, refs)
  const blocks = (nodes: readonly Block[]): BookBlock[] => nodes.flatMap(block)
  const block = (node: Block): BookBlock[] => {
    switch (node.type) {
      case 'paragraph': {
        const content = inlines(node.nodes)
        if (content.length === 0) return []
        return [{ kind: 'paragraph', content, ...(node.data.align === undefined ? {} : { align: node.data.align }) }]
      }
      case 'heading-1':
      case 'heading-2':
      case 'heading-3': {
        const anchor = anchors.get(node)
        const label = anchor === undefined ? undefined : refs.labelOf(anchor)
        const depth = level + Number(node.type.slice(-1))
        return [
          { kind: 'heading', level: depth, ...(label === undefined ? {} : { label }), content: inlines(node.nodes) },
        ]
      }
      case 'list-ordered':
        return [{ kind: 'list', isOrdered: true, start: node.data.start ?? 1, items: node.nodes.map(item) }]
      case 'list-unordered':
        return [{ kind: 'list', isOrdered: false, items: node.nodes.map(item) }]
      case 'list-tasks':
        return [
          {
            kind: 'tasks',
            items: node.nodes.map((task) => ({ isDone: task.data.checked === true, blocks: item(task) })),
          },
        ]
      case 'divider':
        return [{ kind: 'rule' }]
      case 'blockquote':
        return [{ kind: 'quote', blocks: blocks(node.nodes) }]
      case 'hint':
        return [{ kind: 'hint', style: node.data.style, blocks: blocks(node.nodes) }]
      case 'code':
        return [code(node)]
      case 'prompt':
        return [{ kind: 'labelled', title: plain(node.data.description), blocks: node.nodes.map(code) }]
      case 'images':
        return [{ kind: 'pictures', align: node.data.align ?? 'center', pictures: node.nodes.map(picture) }]
      case 'drawing': {
        const image = node.data.ref === undefined ? undefined : refs.imageOf(node.data.ref)
        return image === undefined
          ? []
          : [{ kind: 'pictures', align: 'center', pictures: [{ image, alt: node.data.alt ?? '' }] }]
      }
      case 'math':
        return [{ kind: 'math', formula: node.data.formula }]
      case 'table':
        return [atOnce(bookTable(node, { refs, blocks }))]
      case 'expandable': {
        const part = (type: string) => node.fragments.filter((fragment) => fragment.type === type)
        const title = part('expandable-title').flatMap((fragment) =>
          fragment.nodes.flatMap((inner) => (inner.type === 'paragraph' ? inlines(inner.nodes) : [])),
        )
        return [
          { kind: 'labelled', title, blocks: part('expandable-body').flatMap((fragment) => blocks(fragment.nodes)) },
        ]
      }
      case 'tabs':
        return node.nodes.map((tab) => ({
          kind: 'labelled',
          title: plain(tab.data.title ?? ''),
          blocks: blocks(tab.nodes),
        }))
      case 'stepper':
        return [{ kind: 'steps', start: 1, steps: node.nodes.map((step) => blocks(step.nodes)) }]
      case 'columns':
        return [
          {
            kind: 'columns',
            widths: node.nodes.map((column) => shareOf(column.data.width)),
            columns: node.nodes.map((column) => blocks(column.nodes)),
          },
        ]
      case 'updates':
        return node.nodes.map((update) => ({
          kind: 'labelled',
          title: plain(update.data.date.slice(0, 10)),
          blocks: blocks(update.nodes),
        }))
      // Conditions are decided before a book is gathered; what is left of them holds.
      case 'if':
        return blocks(node.nodes)
      case 'content-ref':
      case 'file': {
        const to = refs.targetOf(node.data.ref)
        const label = node.type === 'content-ref' ? node.data.label : undefined
        const title = label ?? refs.nameOf(node.data.ref)
        // What its reader may not know of has no name.
        return title === '' ? [] : [{ kind: 'reference', title, ...(to === undefined ? {} : { to }) }]
      }
      case 'embed':
        return [
          {
            kind: 'reference',
            title: node.data.caption ?? hostOf(node.data.url),
            detail: node.data.url,
            to: { url: node.data.url },
          },
        ]
      case 'integration': {
        const diagram = diagramOf(node)
        if (diagram !== undefined) return [code(makeCode(diagram, { syntax: 'mermaid' }))]
        return node.data.url === undefined
          ? []
          : [{ kind: 'reference', title: hostOf(node.data.url), detail: node.data.url, to: { url: node.data.url } }]
      }
      case 'swagger':
      case 'openapi-operation':
        return [{ kind: 'operation', method: node.data.method.toUpperCase(), path: node.data.path }]
      case 'openapi-webhook':
        return [{ kind: 'operation', method: node.data.method.toUpperCase(), path: node.data.name }]
      case 'openapi-schemas':
        return [{ kind: 'reference', title: node.data.title ?? node.data.schemas.join(', ') }]
      case 'reusable-content':
        return []
    }
  }
  const item = (node: ListItem): BookBlock[] => blocks(node.nodes)

  const picture = (node: Image): Picture => {
    const image = refs.imageOf(node.data.ref)
    const caption = node.fragments.flatMap((fragment) => fragment.nodes.flatMap((inner) => inlines(inner.nodes)))
    const width = widthOf(node.data.width)
    return {
      ...(image === undefined ? {} : { image }),
      alt: node.data.alt ?? refs.nameOf(node.data.ref),
      ...(width === undefined ? {} : { width }),
      ...(caption.length === 0 ? {} : { caption }),
    }
  }
  const made: BookBlock[] = []
  for (const node of document.nodes) {
    if (node.type === 'table') made.push(yield* bookTable(node, { refs, blocks }))
    else made.push(...block(node))
    yield
  }
  return made
}

/** What is made piece after piece, made without a pause. */
export function atOnce<Made>(pieces: Generator<undefined, Made>): Made {
  for (;;) {
    const step = pieces.next()
    if (step.done) return step.value
  }
}

/** The typesetter's grammars of these languages take hundreds of megabytes; those of their neighbours colour them as well. */
const grammars: Readonly<Record<string, string>> = {
  ts: 'js',
  typescript: 'js',
  mts: 'js',
  cts: 'js',
  tsx: 'js',
  jsx: 'js',
  vue: 'html',
  svelte: 'html',
  scala: 'java',
}

function code(node: Code): BookBlock {
  const { syntax, title, lineNumbers } = node.data
  return {
    kind: 'code',
    text: node.nodes.map(textOf).join('\n'),
    ...(syntax === undefined ? {} : { language: grammars[syntax.toLowerCase()] ?? syntax }),
    ...(title === undefined ? {} : { title }),
    isNumbered: lineNumbers === true,
    highlighted: node.nodes.flatMap((line, index) => (line.data.highlighted === true ? [index + 1] : [])),
  }
}

const shareOf = (width: Length | undefined): number =>
  typeof width === 'number' ? Math.max(0.1, width) : width === undefined ? 1 : Math.max(0.1, width.value)

/** Pixels of a screen are three quarters of a point. */
function widthOf(width: Length | undefined): Picture['width'] | undefined {
  if (width === undefined) return undefined
  const { unit, value } = typeof width === 'number' ? { unit: 'px', value: width } : width
  if (!Number.isFinite(value) || value <= 0) return undefined
  return unit === '%' ? { percent: Math.min(100, value) } : { points: Math.min(450, value * 0.75) }
}

const hostOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/(?:www\.)?([^/?#]+)/i.exec(url)?.[1] ?? url
