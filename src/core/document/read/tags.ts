/**
 * Blocks from `{% tags %}`. A tag that lacks what it cannot be without is text, and so is its end; what stands between
 * them is read as it would be without them.
 */

import { lengthOf } from '../syntax/attributes.ts'
import { isIntegrationTag, type Tag, unquote } from '../syntax/tags.ts'
import { inlineText, textOf } from '../text/to-text.ts'
import { addMarker, markerOfPart, markerOfTag } from '../tree/conflict-marker.ts'
import { isLabel } from '../tree/labels.ts'
import { code, paragraph, parentBlock, voidBlock } from '../tree/make.ts'
import {
  type Block,
  type Column,
  type ContentRefTag,
  type Hint,
  hintStyles,
  type Node,
  type Prompt,
  promptExpansions,
  type TabsItem,
  type Update,
  updatesFormats,
  verticalAlignments,
} from '../tree/nodes.ts'
import { parseRef } from '../tree/refs.ts'
import { readApiTag } from './api-tags.ts'
import { readBlocks, readFilled } from './blocks.ts'
import { codeData } from './code.ts'
import { deeper, type ReadContext, resolveFile, resolveTarget } from './context.ts'
import { isWrittenByHand, readLegacyOperation } from './legacy-api.ts'
import type { Raw } from './raw.ts'

/** Answers nothing only before it has read the children: whoever reads twice at each level reads for ever. */
type ReadTag = (tag: Tag, children: readonly Raw[], context: ReadContext) => Block[] | undefined

export function readTagBlock(tag: Tag, children: readonly Raw[], context: ReadContext): Block[] {
  const name = isIntegrationTag(tag.name) ? 'integration' : tag.name
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined
  return read?.(tag, children, context) ?? asText(tag, children, readBlocks(children, deeper(context)))
}

function asText(tag: Tag, children: readonly Raw[], inner: readonly Block[]): Block[] {
  return [paragraph(tag.source), ...inner, ...(children.length > 0 ? [paragraph(`{% end${tag.name} %}`)] : [])]
}

const hint: ReadTag = ({ attributes }, children, context) => {
  const icon = attributes.get('icon')
  const data: Hint['data'] = {
    style: hintStyles.find((style) => style === attributes.get('style')) ?? 'info',
    ...(icon ? { icon } : {}),
  }
  return [parentBlock('hint', data, readFilled(children, context))]
}

/**
 * The parts of a set, such as the tabs among tabs; nothing when it has none. What stands between them belongs to none,
 * and follows the set.
 */
function partsOf<Part extends Node>(
  part: { name: string; needs?: string },
  children: readonly Raw[],
  context: ReadContext,
  make: (attributes: Tag['attributes'], nodes: Block[]) => Part,
): { parts: Part[]; rest: Block[] } | undefined {
  const found: Extract<Raw, { kind: 'tag' }>[] = []
  const rest: Raw[] = []
  for (const raw of children) {
    const isPart = raw.kind === 'tag' && raw.tag.name === part.name
    if (isPart && (part.needs === undefined || raw.tag.attributes.has(part.needs))) found.push(raw)
    else rest.push(raw)
  }
  if (found.length === 0) return undefined
  const parts = found.flatMap(({ tag, children: inner }) =>
    addMarker([make(tag.attributes, readFilled(inner, deeper(context)))], markerOfPart(tag.attributes)),
  )
  return { parts, rest: readBlocks(rest, context) }
}

const tabs: ReadTag = ({ attributes }, children, context) => {
  const set = partsOf(
    { name: 'tab' },
    children,
    context,
    (own, nodes): TabsItem =>
      parentBlock('tabs-item', given({ title: own.get('title'), icon: own.get('icon'), slug: own.get('slug') }), nodes),
  )
  return set && [parentBlock('tabs', fullWidth(attributes), set.parts), ...set.rest]
}

const stepper: ReadTag = (_tag, children, context) => {
  const set = partsOf({ name: 'step' }, children, context, (own, nodes) =>
    parentBlock('stepper-step', given({ icon: own.get('icon') }), nodes),
  )
  return set && [parentBlock('stepper', {}, set.parts), ...set.rest]
}

const columns: ReadTag = ({ attributes }, children, context) => {
  const set = partsOf({ name: 'column' }, children, context, (own, nodes): Column => {
    const width = lengthOf(own.get('width'))
    const verticalAlignment = verticalAlignments.find(
      (align) => align === (own.get('valign') ?? own.get('verticalAlignment')),
    )
    return parentBlock('column', given({ width, verticalAlignment }), nodes)
  })
  return set && [parentBlock('columns', fullWidth(attributes), set.parts), ...set.rest]
}

const updates: ReadTag = ({ attributes }, children, context) => {
  const set = partsOf({ name: 'update', needs: 'date' }, children, context, (own, nodes): Update => {
    const date = own.get('date') ?? ''
    return parentBlock('update', { date, ...given({ tags: tagsOf(own.get('tags')) }) }, nodes)
  })
  const format = updatesFormats.find((candidate) => candidate === attributes.get('format')) ?? 'full'
  return set && [parentBlock('updates', { format }, set.parts), ...set.rest]
}

function tagsOf(value: string | undefined): ContentRefTag[] | undefined {
  if (value === undefined || value === '') return undefined
  const tags = value.split(',').flatMap((spelt): ContentRefTag[] => {
    const ref = parseRef(spelt.trim())
    if (ref.kind === 'tag') return [ref]
    return /^[^\s/#?]+$/u.test(spelt.trim())
      ? [{ kind: 'tag', tag: spelt.trim().replaceAll('%2C', ',').replaceAll('%25', '%') }]
      : []
  })
  return tags.length === 0 ? undefined : tags
}

const codeTag: ReadTag = (tag, children, context) => {
  const inner = readBlocks(children, deeper(context))
  const at = inner.findIndex((block) => block.type === 'code')
  const found = inner[at]
  if (found?.type !== 'code') return asText(tag, children, inner)
  const data = { ...found.data, ...codeData((name) => tag.attributes.get(name)) }
  return inner.with(at, { ...found, data })
}

const condition: ReadTag = ({ attributes, rest }, children, context) => {
  const spelt = /^expression="((?:[^"\\]|\\.)*)"$/.exec(rest)
  const expression = spelt === null ? rest : unquote(spelt[1] ?? '')
  return attributes.size >= 0 ? [parentBlock('if', { expression }, readFilled(children, context))] : undefined
}

const prompt: ReadTag = ({ attributes }, children, context) => {
  const inner = readBlocks(children, deeper(context))
  const [only] = inner
  const words = inner.map(textOf).join('\n\n')
  const held = inner.length === 1 && only?.type === 'code' ? only : code(words)
  const icon = attributes.get('icon')
  const defaultExpanded = promptExpansions.find((state) => state === attributes.get('defaultExpanded'))
  const data: Prompt['data'] = {
    description: attributes.get('description') ?? '',
    ...given({ icon, defaultExpanded }),
    ...(attributes.get('openInAIProviders') === 'true' ? { openInAIProviders: true } : {}),
  }
  const { syntax } = held.data
  return [parentBlock('prompt', data, [{ ...held, data: syntax === undefined ? {} : { syntax } }])]
}

/** A caption that is more than words, and that of a file, has no place in the tree: it is the paragraph after. */
const embed: ReadTag = ({ attributes }, children, context) => {
  const url = attributes.get('url')
  const ref = url === undefined ? null : resolveTarget({ ...context, resolve: () => undefined }, url, 'link')
  if (url === undefined || ref === null) return undefined
  const inner = readBlocks(children, context)
  const given = attributes.get('caption')
  const caption = given ?? captionOf(inner)
  const data = { url, ...fullWidth(attributes), ...(caption ? { caption } : {}) }
  return [voidBlock('embed', data), ...(given === undefined && caption !== undefined ? [] : inner)]
}

/** Blocks that are one line of words. */
function captionOf(blocks: readonly Block[]): string | undefined {
  const [only, ...rest] = blocks
  if (only?.type !== 'paragraph' || rest.length > 0 || only.data.align !== undefined) return undefined
  const isWords = only.nodes.every(
    (node) => node.object === 'text' && node.leaves.every((leaf) => leaf.marks.length === 0),
  )
  const words = isWords ? inlineText(only.nodes) : ''
  return words === '' || words.includes('\n') ? undefined : words
}

const file: ReadTag = ({ attributes }, children, context) => {
  const target = attributes.get('src')
  const ref = target === undefined ? null : resolveFile(context, target, 'file')
  return ref === null ? undefined : [voidBlock('file', { ref }), ...readBlocks(children, context)]
}

const contentRef: ReadTag = ({ attributes }, children, context) => {
  const target = attributes.get('url')
  const ref = target === undefined ? null : resolveTarget(context, target, 'content-ref')
  if (ref === null) return undefined
  const { blocks, label } = splitLabel(children, context)
  const own = attributes.get('label') ?? label
  return [
    voidBlock('content-ref', { ref, ...(own !== undefined && isLabel(ref, own) ? { label: own } : {}) }),
    ...blocks,
  ]
}

const pageRef: ReadTag = ({ attributes }, _children, context) => {
  const target = attributes.get('page')
  const ref = target === undefined ? null : resolveTarget(context, target, 'content-ref')
  return ref === null ? undefined : [voidBlock('content-ref', { ref })]
}

const operation: ReadTag = (tag, children, context) =>
  isWrittenByHand(tag) ? readLegacyOperation(tag, children, context) : readApiTag(tag, children, context)

/** Between the tags stands a link with the target's name, for readers of the source: it says nothing new. */
export function withoutLabel(children: readonly Raw[], context: ReadContext): Block[] {
  return splitLabel(children, context).blocks
}

function splitLabel(children: readonly Raw[], context: ReadContext): { blocks: Block[]; label?: string } {
  const blocks = readBlocks(children, context)
  const [only] = blocks
  if (blocks.length !== 1 || only?.type !== 'paragraph') return { blocks }
  const [first, ...rest] = only.nodes
  const isLink = rest.length === 0 && first?.object === 'inline' && (first.type === 'link' || first.type === 'mention')
  if (!isLink) return { blocks }
  return first.type === 'link' ? { blocks: [], label: inlineText(first.nodes) } : { blocks: [] }
}

const include: ReadTag = ({ attributes, rest }, _children, context) => {
  const spelt = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/.exec(rest)
  const target = spelt === null ? attributes.get('src') : spelt[1] === undefined ? spelt[2] : unquote(spelt[1])
  const ref = target === undefined ? null : resolveTarget(context, target, 'include')
  if (target === undefined || ref === null) return undefined
  const held = ref.kind === 'reusable-content' || ref.kind === 'url' ? ref : ({ kind: 'url', url: target } as const)
  return [voidBlock('reusable-content', { ref: held })]
}

const conflict: ReadTag = ({ attributes }, children, context) => {
  const marker = markerOfTag(attributes)
  return marker && addMarker(readFilled(children, context), marker)
}

const readers: Readonly<Record<string, ReadTag>> = {
  conflict,
  hint,
  tabs,
  stepper,
  columns,
  updates,
  code: codeTag,
  if: condition,
  prompt,
  embed,
  file,
  'content-ref': contentRef,
  include,
  'openapi-operation': readApiTag,
  'openapi-schemas': readApiTag,
  'openapi-webhook': readApiTag,
  openapi: readApiTag,
  swagger: operation,
  'api-method': operation,
  'page-ref': pageRef,
  integration: readApiTag,
}

/** The fields that have a value. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const filled: { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } = {}
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== '') Object.assign(filled, { [name]: value })
  return filled
}

export function fullWidth(attributes: Tag['attributes']): { fullWidth?: boolean } {
  return attributes.get('fullWidth') === 'true' ? { fullWidth: true } : {}
}
