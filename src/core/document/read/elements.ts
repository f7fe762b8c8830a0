/**
 * HTML elements within a sentence: marks, links, buttons, icons, images. Elements that mean nothing here are looked
 * through: their words stay.
 */
import { elementMarks } from '../syntax/element-marks.ts'
import { type Attributes, decodeHtml, isComponent } from '../syntax/html-scan.ts'
import { isLabel } from '../tree/labels.ts'
import { voidInline } from '../tree/make.ts'
import {
  type Button,
  buttonKinds,
  buttonSizes,
  type ContentRef,
  type InlineImage,
  type Mark,
  type TextColor,
  textColors,
} from '../tree/nodes.ts'
import { type ReadContext, resolveFile, resolveTarget } from './context.ts'
import { type InlineState, readInto } from './inline.ts'
import { readInlineComponent } from './inline-components.ts'
import { annotate } from './notes.ts'
import type { Element, Raw } from './raw.ts'

export function readElement(element: Element, children: readonly Raw[], state: InlineState) {
  const { builder, context } = state
  const { name, attributes } = element
  const single = singleInline(element, children, context)
  if (single !== undefined) return builder.inline(single)
  if (name === 'br') return builder.lineBreak()
  if (name === 'a') return readAnchor(attributes, children, state)
  if (name === 'img') {
    const image = imageOf(attributes, state)
    return image === undefined ? builder.text(attributes.get('alt') ?? '') : builder.image(image)
  }
  if (name === 'source') {
    if (isDark(attributes)) state.dark = resolveFile(context, attributes.get('srcset') ?? '', 'image') ?? undefined
    return
  }
  if (isComponent(name)) return readInlineComponent(element, children, state)
  if (name === 'iframe') return readFrame(attributes, children, state)
  if (name === 'script' || name === 'style') return
  if (name === 'video') return readVideo(attributes, children, state)
  const type = Object.hasOwn(elementMarks, name) ? elementMarks[name] : undefined
  const mark = type === undefined ? colorMark(element) : ({ object: 'mark', type } as const)
  if (mark !== undefined) builder.startMark(mark)
  else if (isBlockLike.test(name)) builder.space()
  readInto(children, state)
  if (mark !== undefined) builder.endMark(mark.type)
  else if (isBlockLike.test(name)) builder.space()
}

/** The tree has no place for a film, so that a link to it is what is left. */
function readVideo(attributes: Attributes, children: readonly Raw[], state: InlineState): void {
  const source = children.find((raw) => raw.kind === 'element' && raw.element.name === 'source')
  const target =
    attributes.get('src') ?? (source?.kind === 'element' ? source.element.attributes.get('src') : undefined)
  const ref = target ? resolveTarget(state.context, target, 'file') : null
  if (target && ref !== null) {
    state.builder.startLink(ref)
    state.builder.text(target)
    state.builder.endLink()
  }
  readInto(children, state)
}

/** A frame cannot stand in a sentence; the page it shows can be named. */
function readFrame(attributes: Attributes, children: readonly Raw[], state: InlineState): void {
  const target = attributes.get('src') ?? ''
  const ref = /^https?:/i.test(target) ? resolveTarget(state.context, target, 'link') : null
  if (ref !== null) {
    state.builder.startLink(ref)
    state.builder.text(attributes.get('title') || target)
    state.builder.endLink()
  }
  readInto(children, state)
}

/** Two paragraphs where only words can stand are parted by a space. */
const isBlockLike = /^(?:p|div|li|ul|ol|table|thead|tbody|tr|td|th|h[1-6]|section|summary|figcaption|dd|dt|dl|hr)$/

/** The text in an element, for the elements whose content is no Markdown. */
export function rawText(children: readonly Raw[]): string {
  return children
    .map((raw) => {
      if (raw.kind === 'html-text') return decodeHtml(raw.source)
      if (raw.kind === 'literal') return raw.text
      if (raw.kind === 'inline-token') return raw.token.content
      return raw.kind === 'element' ? rawText(raw.children) : ''
    })
    .join('')
}

function singleInline(element: Element, children: readonly Raw[], context: ReadContext) {
  const { name, attributes } = element
  const classes = (attributes.get('class') ?? '').split(/\s+/)
  if (name === 'code' && classes.includes('expression'))
    return voidInline('expression', { expression: rawText(children) })
  if (name === 'i' && iconOf(classes) !== undefined) {
    const color = colorNamed(styleOf(attributes).get('color'))
    return voidInline('icon', { icon: iconOf(classes) ?? '', ...(color === undefined ? {} : { color }) })
  }
  if ((name === 'a' || name === 'button') && classes.includes('button')) return buttonOf(attributes, children, context)
  if (name === 'span' && attributes.has('data-formula'))
    return voidInline('inline-math', { formula: attributes.get('data-formula') ?? '' })
  const emoji = name === 'span' ? attributes.get('data-emoji') : undefined
  if (emoji !== undefined && /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,63}$/.test(emoji))
    return voidInline('emoji', { code: emoji })
  if (name === 'a' && attributes.has('data-mention')) {
    const ref = resolveTarget(context, attributes.get('href') ?? '', 'mention')
    const label = rawText(children)
    if (ref !== null) return voidInline('mention', { ref, ...(isLabel(ref, label) ? { label } : {}) })
  }
  return undefined
}

function iconOf(classes: readonly string[]): string | undefined {
  // Font Awesome has classes for the style beside the name; the name comes last.
  const named = classes.findLast((name) => /^fa-[\w-]{1,47}$/.test(name))
  return named?.slice('fa-'.length)
}

function buttonOf(attributes: Attributes, children: readonly Raw[], context: ReadContext) {
  const classes = (attributes.get('class') ?? '').split(/\s+/)
  const pointed = actionOrRef(attributes, context)
  if (pointed === undefined) return undefined
  const size = buttonSizes.find((candidate) => candidate === attributes.get('data-size'))
  const icon = attributes.get('data-icon')
  const data: Button['data'] = {
    label: rawText(children),
    kind: buttonKinds.find((kind) => classes.includes(kind)) ?? 'primary',
    ...(size === undefined ? {} : { size }),
    ...(icon === undefined || icon === '' ? {} : { icon }),
    ...pointed,
  }
  return voidInline('button', data)
}

function actionOrRef(attributes: Attributes, context: ReadContext): Pick<Button['data'], 'ref' | 'action'> | undefined {
  const action = attributes.get('data-action')
  if (action === 'search' || action === 'ask') return { action: { action, query: attributes.get('data-query') ?? '' } }
  if (action === 'select') return { action: { action, slug: attributes.get('data-slug') ?? '' } }
  const href = attributes.get('href')
  const ref = href === undefined ? null : resolveTarget(context, href, 'button')
  return ref === null ? undefined : { ref }
}

function readAnchor(attributes: Attributes, children: readonly Raw[], state: InlineState) {
  const { builder, context } = state
  const href = attributes.get('href')
  if (href !== undefined && attributes.has('data-footnote-ref')) {
    const anchor = href.slice(1)
    builder.startLink({ kind: 'anchor', anchor })
    readInto(children, state)
    builder.endLink()
    const words = builder.takeLastLink((ref) => ref.kind === 'anchor' && ref.anchor === anchor) ?? []
    return annotate(href, words, builder, context)
  }
  const ref: ContentRef | null =
    href === undefined || isAnchor(attributes, children) ? null : resolveTarget(context, href, 'link')
  if (ref !== null) builder.startLink(ref)
  readInto(children, state)
  if (ref !== null) builder.endLink()
}

/** `<a id="x"></a>` names a place and shows nothing. */
export function isAnchor(attributes: Attributes, children: readonly Raw[]): boolean {
  return children.length === 0 && (attributes.has('id') || attributes.has('name'))
}

export function imageOf(attributes: Attributes, state: InlineState): InlineImage | undefined {
  const ref = resolveFile(state.context, attributes.get('src') ?? '', 'image')
  const refDark = state.dark
  state.dark = undefined
  if (ref === null) return undefined
  const size = attributes.get('data-size')
  const data: InlineImage['data'] = { ref }
  if (refDark !== undefined) data.refDark = refDark
  if (attributes.get('title')) data.caption = attributes.get('title') ?? ''
  if (attributes.get('alt')) data.alt = attributes.get('alt') ?? ''
  if (size === 'line' || size === 'original') data.size = size
  return voidInline('inline-image', data)
}

export function isDark(attributes: Attributes): boolean {
  return /prefers-color-scheme:\s*dark/.test(attributes.get('media') ?? '')
}

function colorMark(element: Element): Mark | undefined {
  if (element.name !== 'mark') return undefined
  const style = styleOf(element.attributes)
  const color = colorNamed(style.get('color'))
  const background = colorNamed(style.get('background-color') ?? style.get('background'))
  // A highlighter without a colour is yellow.
  const otherwise: TextColor = color === undefined ? 'yellow' : 'default'
  return { object: 'mark', type: 'color', data: { text: color ?? 'default', background: background ?? otherwise } }
}

function colorNamed(name: string | undefined): TextColor | undefined {
  return textColors.find((color) => color === name)
}

function styleOf(attributes: Attributes): Map<string, string> {
  const rules = (attributes.get('style') ?? '').split(';').flatMap((rule) => {
    const [name = '', value] = rule.split(':')
    return value === undefined ? [] : [[name.trim(), value.trim()] as const]
  })
  return new Map(rules)
}
