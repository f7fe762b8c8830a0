/**
 * Inline content: the tokens of a Markdown paragraph, and the HTML among them or around it, become texts and inlines.
 */
import { emojiNames } from '../syntax/emoji-names.ts'
import { decodeHtml } from '../syntax/html-scan.ts'
import type { Token } from '../syntax/markdown-parser.ts'
import { isLabel } from '../tree/labels.ts'
import { text, voidInline } from '../tree/make.ts'
import type { FileRef, InlineContent, InlineImage } from '../tree/nodes.ts'
import { spend } from '../tree/size.ts'
import { type ReadContext, resolveFile, resolveTarget } from './context.ts'
import { readElement } from './elements.ts'
import { InlineBuilder } from './inline-builder.ts'
import { readNote } from './notes.ts'
import type { Raw } from './raw.ts'
import { buildInline, isOfTree } from './raw-tree.ts'

export type InlineState = { builder: InlineBuilder; context: ReadContext; dark: FileRef | undefined }

export function readInlines(raws: readonly Raw[], context: ReadContext): InlineContent[] {
  const state = begin(context)
  readInto(raws, state)
  return end(state)
}

/** The same for the tokens of a paragraph. They become a tree only where there is HTML among them. */
export function readTokens(tokens: readonly Token[], context: ReadContext): InlineContent[] {
  const [only] = tokens
  // Nothing but words, as in most paragraphs and nearly every cell.
  if (tokens.length === 1 && only?.type === 'text' && only.content !== '' && !hasSpecial.test(only.content)) {
    spend(context.budget, 2)
    return [text(only.content)]
  }
  if (tokens.some(isOfTree)) return readInlines(buildInline(tokens), context)
  const state = begin(context)
  for (const token of tokens) readToken(token, state)
  return end(state)
}

const begin = (context: ReadContext): InlineState => ({ builder: new InlineBuilder(), context, dark: undefined })

function end({ builder, context }: InlineState): InlineContent[] {
  const nodes = builder.finish()
  spend(context.budget, 1 + nodes.length)
  return nodes
}

export function readInto(raws: readonly Raw[], state: InlineState): void {
  for (const raw of raws) readRaw(raw, state)
}

function readRaw(raw: Raw, state: InlineState) {
  const { builder } = state
  switch (raw.kind) {
    case 'inline-token':
      return readToken(raw.token, state)
    case 'element':
      return readElement(raw.element, raw.children, state)
    case 'html-text':
      return readHtmlText(raw.source, builder)
    case 'gap':
    case 'comment':
      return builder.space()
    case 'literal':
      return builder.text(raw.text)
    case 'mention':
      return readMention(raw.target, raw.label, state)
    case 'leaf':
      // A paragraph where only words can stand: its words.
      builder.space()
      if (raw.inline === undefined) builder.text(raw.token.content.trim())
      else readInto(buildInline(raw.inline.children ?? []), state)
      return builder.space()
    case 'tag':
      builder.text(raw.tag.source)
      return readInto(raw.children, state)
    case 'container':
      return readInto(raw.children, state)
    case 'table':
      for (const token of raw.tokens)
        if (token.type === 'inline') {
          readInto(buildInline(token.children ?? []), state)
          builder.space()
        }
  }
}

/** White space in HTML is one space however much there is; a character reference is never white space. */
function readHtmlText(source: string, builder: InlineBuilder): void {
  for (const piece of source.split(/([ \t\n\r\f]+)/)) {
    if (piece === '') continue
    if (/^[ \t\n\r\f]/.test(piece)) builder.space()
    else builder.text(decodeHtml(piece))
  }
}

function readToken(token: Token, state: InlineState) {
  const { builder, context } = state
  switch (token.type) {
    case 'text':
      return readText(token.content, state)
    case 'softbreak':
      return builder.space()
    case 'hardbreak':
      return builder.lineBreak()
    case 'code_inline':
      builder.startMark({ object: 'mark', type: 'code' })
      builder.text(token.content)
      return builder.endMark('code')
    case 'strong_open':
      return builder.startMark({ object: 'mark', type: 'bold' })
    case 'strong_close':
      return builder.endMark('bold')
    case 'em_open':
      return builder.startMark({ object: 'mark', type: 'italic' })
    case 'em_close':
      return builder.endMark('italic')
    case 's_open':
      return builder.startMark({ object: 'mark', type: 'strikethrough' })
    case 's_close':
      return builder.endMark('strikethrough')
    case 'link_open': {
      const ref = resolveTarget(context, String(token.attrGet('href') ?? ''), 'link')
      return ref === null ? undefined : builder.startLink(ref)
    }
    case 'link_close':
      return builder.endLink()
    case 'image':
      return readImage(token, state)
    case 'math':
      return builder.inline(voidInline('inline-math', { formula: token.content }))
    case 'note':
      return readNote(token, builder, context)
    default:
      return builder.text(token.content)
  }
}

function readMention(target: string, label: string, { builder, context }: InlineState): void {
  const ref = resolveTarget(context, target, 'mention')
  if (ref === null) builder.text(label)
  else builder.inline(voidInline('mention', { ref, ...(isLabel(ref, label) ? { label } : {}) }))
}

function readImage(token: Token, { builder, context }: InlineState) {
  const ref = resolveFile(context, String(token.attrGet('src') ?? ''), 'image')
  const alt = altOf(token)
  if (ref === null) return builder.text(alt)
  const title = token.attrGet('title')
  const data: InlineImage['data'] = { ref }
  if (alt !== '') data.alt = alt
  if (typeof title === 'string' && title !== '') data.caption = title
  builder.image(voidInline('inline-image', data))
}

/** The words of an image's label, however they are marked. */
export function altOf(token: Token): string {
  const words = (token.children ?? []).map((child) => {
    if (child.type === 'softbreak' || child.type === 'hardbreak') return '\n'
    return child.type === 'image' ? altOf(child) : child.content
  })
  return words.join('')
}

// Names of emoji, and addresses that are links without saying so. Every repetition is bounded: a long word is common.
const special =
  /(?<![\w:]):([a-z0-9_+-]{1,60}):(?![\w:])|(?<![\w.@/:-])www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?:\/[\w/#?&=%+~.:;,@-]{0,500}[\w/#=&])?|(?<![\w.+@/-])[a-z0-9][\w.+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?![\w@-])/giu

const hasSpecial = /[:@]|www\./i

/** Plain text with what stands for something in it: `:tada:`, `www.example.com`, `name@example.com`. */
function readText(content: string, state: InlineState) {
  const { builder, context } = state
  if (!hasSpecial.test(content)) return builder.text(content)
  let from = 0
  for (const match of content.matchAll(special)) {
    const [whole, name] = match
    const picture = name === undefined ? undefined : emojiNames().get(name)
    if (name !== undefined && picture === undefined) continue
    if (name === undefined && builder.isInLink) continue
    builder.text(content.slice(from, match.index))
    from = match.index + whole.length
    if (picture !== undefined) builder.text(picture)
    else {
      const ref = resolveTarget(context, whole.includes('@') ? `mailto:${whole}` : `http://${whole}`, 'link')
      if (ref !== null) builder.startLink(ref)
      builder.text(whole)
      if (ref !== null) builder.endLink()
    }
  }
  builder.text(content.slice(from))
}
