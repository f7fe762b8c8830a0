/**
 * Images that stand alone are blocks: in a figure, or as the only thing in a paragraph.
 */
import { lengthOf } from '../syntax/attributes.ts'
import { type Attributes, isBlank } from '../syntax/html-scan.ts'
import type { Token } from '../syntax/markdown-parser.ts'
import { image, parentBlock, voidBlock } from '../tree/make.ts'
import type { Block, FileRef, Image, Images, InlineContent } from '../tree/nodes.ts'
import { type ReadContext, resolveFile } from './context.ts'
import { isDark } from './elements.ts'
import { altOf, readInlines } from './inline.ts'
import type { Raw } from './raw.ts'

/** The images of a paragraph that holds nothing else; an image with a size for the line is part of a sentence. */
export function imagesOf(raws: readonly Raw[], context: ReadContext): Block | undefined {
  const filled = raws.filter((raw) => !isBlankRaw(raw))
  if (filled.length === 0 || !filled.every(isLoneImage)) return undefined
  const [first] = filled
  if (filled.length === 1 && first?.kind === 'element' && isDrawing(first.element.attributes))
    return readDrawing(first.element.attributes, context)
  const images = filled.flatMap((raw) => imageBlock(raw, undefined, context))
  return images.length === filled.length ? parentBlock('images', {}, images) : undefined
}

/** Whether a paragraph with this token may hold nothing but images. Most begin with a word, and that says it. */
export function mayBeOfImages({ type, content }: Token): boolean {
  if (type === 'text') return /^[ \t]*$/.test(content)
  return type === 'image' || type === 'softbreak' || type === 'html_inline'
}

function isBlankRaw(raw: Raw): boolean {
  if (raw.kind === 'html-text') return isBlank(raw.source)
  if (raw.kind !== 'inline-token') return raw.kind === 'gap'
  return raw.token.type === 'softbreak' || (raw.token.type === 'text' && /^[ \t]*$/.test(raw.token.content))
}

function isLoneImage(raw: Raw): boolean {
  if (raw.kind === 'inline-token') return raw.token.type === 'image'
  if (raw.kind !== 'element') return false
  const { name, attributes } = raw.element
  if (name === 'picture')
    return raw.children.every((child) => isBlankRaw(child) || isSource(child) || isLoneImage(child))
  return name === 'img' && !attributes.has('data-size')
}

const isSource = (raw: Raw): boolean => raw.kind === 'element' && raw.element.name === 'source'
const isDrawing = (attributes: Attributes): boolean =>
  (attributes.get('class') ?? '').split(/\s+/).includes('gitbook-drawing')

function readDrawing(attributes: Attributes, context: ReadContext): Block {
  const target = attributes.get('src')
  const ref = target === undefined ? null : resolveFile(context, target, 'image')
  const alt = attributes.get('alt')
  return voidBlock('drawing', { ...(ref === null ? {} : { ref }), ...(alt ? { alt } : {}) })
}

/** The image in a piece of Markdown or HTML, wherever in it. */
function imageBlock(raw: Raw, caption: InlineContent[][] | undefined, context: ReadContext, dark?: FileRef): Image[] {
  if (raw.kind === 'inline-token' && raw.token.type === 'image') {
    const ref = resolveFile(context, String(raw.token.attrGet('src') ?? ''), 'image')
    const alt = altOf(raw.token)
    const title = raw.token.attrGet('title')
    const shown =
      caption ??
      (typeof title === 'string' && title !== ''
        ? [readInlines([{ kind: 'literal', text: title, line: false }], context)]
        : undefined)
    return ref === null ? [] : [image({ ref, ...(alt === '' ? {} : { alt }) }, shown)]
  }
  if (raw.kind !== 'element') return []
  const { name, attributes } = raw.element
  if (name === 'img') return imageElement(attributes, caption, context, dark)
  const source = raw.children.find(
    (child) => isSource(child) && child.kind === 'element' && isDark(child.element.attributes),
  )
  const target = source?.kind === 'element' ? source.element.attributes.get('srcset') : undefined
  const refDark = target === undefined ? undefined : (resolveFile(context, target, 'image') ?? undefined)
  return raw.children.flatMap((child) => imageBlock(child, caption, context, refDark ?? dark))
}

function imageElement(
  attributes: Attributes,
  caption: InlineContent[][] | undefined,
  context: ReadContext,
  refDark?: FileRef,
): Image[] {
  const ref = resolveFile(context, attributes.get('src') ?? '', 'image')
  if (ref === null) return []
  const alt = attributes.get('alt') ?? ''
  const width = lengthOf(attributes.get('width'))
  const height = lengthOf(attributes.get('height'))
  const data: Image['data'] = {
    ref,
    ...(refDark === undefined ? {} : { refDark }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(alt === '' ? {} : { alt }),
  }
  return [image(data, caption)]
}

/** A figure: its images, the caption with the last of them, and whatever else stands in it. */
export function readFigure(children: readonly Raw[], context: ReadContext): { images: Image[]; rest: Raw[] } {
  const at = children.findIndex((raw) => raw.kind === 'element' && raw.element.name === 'figcaption')
  const captionRaw = children[at]
  const images: Image[] = []
  const rest: Raw[] = []
  children.forEach((raw, index) => {
    if (index === at || isBlankRaw(raw)) return
    const found = hasWords(raw) ? [] : imageBlock(raw, undefined, context)
    if (found.length === 0) rest.push(raw)
    else images.push(...found)
  })
  const last = images.at(-1)
  const caption = last !== undefined && captionRaw?.kind === 'element' ? captionLines(captionRaw.children, context) : []
  if (last !== undefined && caption.length > 0) images[images.length - 1] = image(last.data, caption)
  return { images, rest }
}

function hasWords(raw: Raw): boolean {
  if (raw.kind === 'element') return raw.children.some(hasWords)
  return !isBlankRaw(raw) && !(raw.kind === 'inline-token' && raw.token.type === 'image')
}

/** The paragraphs of a caption. */
function captionLines(children: readonly Raw[], context: ReadContext): InlineContent[][] {
  const lines: InlineContent[][] = []
  let words: Raw[] = []
  const flush = (): void => {
    const line = readInlines(words, context)
    if (line.length > 0) lines.push(line)
    words = []
  }
  for (const raw of children) {
    if (raw.kind === 'element' && raw.element.name === 'p') {
      flush()
      words = raw.children.slice()
      flush()
    } else if (raw.kind === 'leaf') {
      flush()
      words = [raw]
      flush()
    } else words.push(raw)
  }
  flush()
  return lines
}

/** A box around images says how they stand; a box around anything else says nothing. */
export function readImagesBox(
  attributes: Attributes,
  children: readonly Raw[],
  context: ReadContext,
): Images | undefined {
  const filled = children.filter((raw) => !isBlankRaw(raw))
  const isImage = (raw: Raw): boolean => raw.kind === 'element' && (raw.element.name === 'figure' || isLoneImage(raw))
  if (filled.length === 0 || !filled.every(isImage)) return undefined
  const figures = filled.map((raw) =>
    raw.kind === 'element' && raw.element.name === 'figure'
      ? readFigure(raw.children, context)
      : { images: imageBlock(raw, undefined, context), rest: [] },
  )
  const images = figures.flatMap((figure) => figure.images)
  if (images.length === 0 || figures.some((figure) => figure.rest.length > 0)) return undefined
  const align = attributes.get('align')
  const data: Images['data'] = {
    ...(align === 'left' || align === 'right' || align === 'center' ? { align } : {}),
    ...(attributes.get('data-full-width') === 'true' ? { fullWidth: true } : {}),
    ...(attributes.get('data-with-frame') === 'true' ? { withFrame: true } : {}),
  }
  return parentBlock('images', data, images)
}
