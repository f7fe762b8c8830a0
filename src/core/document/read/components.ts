/**
 * Blocks from the components of documentation kits (`components.ts` of the syntax says which names they have). What is no
 * part of a set stays where it is; a component that nobody knows is its title and its content.
 */
import { type BlockRole, blockRoleOf } from '../syntax/components.ts'
import { type Attributes, isBlank } from '../syntax/html-scan.ts'
import { stringsIn } from '../syntax/jsx.ts'
import { code, fragment, heading, image, paragraph, parentBlock, text, voidBlock } from '../tree/make.ts'
import type { Block, Column, StepperStep, TabsItem } from '../tree/nodes.ts'
import { isSafeUrl } from '../tree/refs.ts'
import { readBlocks, readFilled } from './blocks.ts'
import { readCalloutComponent } from './callouts.ts'
import { readCards } from './cards.ts'
import { deeper, type ReadContext } from './context.ts'
import { rawText } from './elements.ts'
import { fenceTitle } from './fence.ts'
import type { Element, Raw } from './raw.ts'
import { readTitle, titleParagraphs } from './titles.ts'

type ElementRaw = Extract<Raw, { kind: 'element' }>

export function readComponent(raw: ElementRaw, context: ReadContext): Block[] {
  const { element, children } = raw
  if (raw.isUnclosed === true) return words(element.attributes, context)
  const role = blockRoleOf(element.name)
  return role === undefined ? box(element, children, context) : readers[role](element, children, context)
}

const setOf: Readonly<Partial<Record<BlockRole, string>>> = { tab: 'Tabs', step: 'Steps', card: 'CardGroup' }

/** Parts that stand side by side without a set around them are a set. */
export function gatherParts(raws: readonly Raw[]): readonly Raw[] {
  if (!raws.some((raw) => setNameOf(raw) !== undefined)) return raws
  const gathered: Raw[] = []
  for (const raw of raws) {
    const name = setNameOf(raw)
    const at = gathered.findLastIndex((other) => !isNothing(other))
    const last = gathered[at]
    if (name !== undefined && last?.kind === 'element' && last.element.name === name && last.element.source === '') {
      last.children.push(raw)
      gathered.length = at + 1
    } else if (name === undefined) gathered.push(raw)
    else {
      const element: Element = { kind: 'open', name, attributes: new Map(), isVoid: false, source: '' }
      gathered.push({ kind: 'element', element, children: [raw] })
    }
  }
  return gathered
}

function setNameOf(raw: Raw): string | undefined {
  if (raw.kind !== 'element' || raw.isUnclosed === true) return undefined
  const role = blockRoleOf(raw.element.name)
  return role === undefined ? undefined : setOf[role]
}

const isNothing = (raw: Raw): boolean => raw.kind === 'gap' || (raw.kind === 'html-text' && isBlank(raw.source))

type Read = (element: Element, children: readonly Raw[], context: ReadContext) => Block[]

const box: Read = ({ attributes }, children, context) => [
  ...words(attributes, context),
  ...readBlocks(children, context),
]

/** What a component says in its attributes. */
function words(attributes: Attributes, context: ReadContext): Block[] {
  const title = attributes.get('title') ?? attributes.get('label')
  const description = attributes.get('description')
  return [...titleParagraphs(title, context), ...(description ? [paragraph(readTitle(description, context))] : [])]
}

/** The parts of a set and, behind them, what stands between them. */
function partsOf(role: BlockRole, children: readonly Raw[]): { parts: ElementRaw[]; rest: Raw[] } {
  const parts: ElementRaw[] = []
  const rest: Raw[] = []
  for (const raw of children) {
    if (raw.kind === 'element' && blockRoleOf(raw.element.name) === role) parts.push(raw)
    else if (!isNothing(raw)) rest.push(raw)
  }
  return { parts, rest }
}

const tabs: Read = (element, children, context) => {
  const { parts, rest } = partsOf('tab', children)
  if (parts.length === 0) return box(element, children, context)
  const names = stringsIn(element.attributes.get('items') ?? '')
  const labels = labelsOf(element.attributes.get('values'))
  const items = parts.map((part, at): TabsItem => {
    const { attributes } = part.element
    const value = attributes.get('value')
    const title =
      attributes.get('label') ??
      attributes.get('title') ??
      attributes.get('name') ??
      labels.get(value ?? '') ??
      value ??
      names[at]
    const icon = attributes.get('icon')
    return parentBlock(
      'tabs-item',
      { ...(title ? { title } : {}), ...(icon !== undefined && isName(icon) ? { icon } : {}) },
      readFilled(part.children, deeper(context)),
    )
  })
  return [parentBlock('tabs', {}, items), ...readBlocks(rest, context)]
}

/** `values={[{ label: 'A', value: 'a' }]}`: the labels by their values. */
function labelsOf(source: string | undefined): Map<string, string> {
  const labels = new Map<string, string>()
  for (const [entry] of (source ?? '').matchAll(/\{[^{}]*\}/g)) {
    const label = /\blabel\s*:\s*["'`]([^"'`]*)/.exec(entry)?.[1]
    const value = /\bvalue\s*:\s*["'`]([^"'`]*)/.exec(entry)?.[1]
    if (label !== undefined && value !== undefined) labels.set(value, label)
  }
  return labels
}

const steps: Read = (element, children, context) => {
  const { parts, rest } = partsOf('step', children)
  if (parts.length > 0) {
    const made = parts.map((part) => stepOf(part.element, part.children, context))
    return [parentBlock('stepper', {}, made), ...readBlocks(rest, context)]
  }
  // Some kits make steps of the items of a list, others of what stands below each heading.
  const blocks = readBlocks(children, deeper(context, 2))
  const [only] = blocks
  if (blocks.length === 1 && only?.type === 'list-ordered')
    return [
      parentBlock(
        'stepper',
        {},
        only.nodes.map((item): StepperStep => parentBlock('stepper-step', {}, item.nodes)),
      ),
    ]
  const first = blocks[0]
  if (first === undefined || !first.type.startsWith('heading-'))
    return [...words(element.attributes, context), ...blocks]
  const made: StepperStep[] = []
  for (const block of blocks) {
    const last = made.at(-1)
    if (block.type === first.type || last === undefined) made.push(parentBlock('stepper-step', {}, [block]))
    else last.nodes.push(block)
  }
  return [parentBlock('stepper', {}, made)]
}

function stepOf({ attributes }: Element, children: readonly Raw[], context: ReadContext): StepperStep {
  const title = attributes.get('title')
  const icon = attributes.get('icon')
  const inside = deeper(context, 2)
  const body = readFilled(children, deeper(context))
  const head = title ? [heading('heading-2', readTitle(title, inside))] : []
  return parentBlock('stepper-step', icon !== undefined && isName(icon) ? { icon } : {}, [...head, ...body])
}

const codeGroup: Read = (_element, children, context) => {
  const items: TabsItem[] = []
  const rest: Raw[] = []
  for (const raw of children) {
    const isFence = raw.kind === 'leaf' && raw.token.type === 'fence'
    if (!isFence) {
      rest.push(raw)
      continue
    }
    const nodes = readBlocks([raw], deeper(context, 2)).map((block) => {
      if (block.type !== 'code') return block
      const { title: _, ...data } = block.data
      return { ...block, data }
    })
    items.push(parentBlock('tabs-item', { title: fenceTitle(raw.token.info, `${items.length + 1}`) }, nodes))
  }
  if (items.length === 0) return readBlocks(children, context)
  return [parentBlock('tabs', {}, items), ...readBlocks(rest, context)]
}

const accordion: Read = ({ attributes }, children, context) => {
  const at = children.findIndex((raw) => raw.kind === 'element' && raw.element.name === 'summary')
  const summary = children[at]
  const inside = deeper(context, 2)
  const title =
    attributes.get('title') ?? attributes.get('summary') ?? attributes.get('label') ?? attributes.get('header')
  const named = summary?.kind === 'element' ? rawText(summary.children) : (title ?? '')
  const isOpen = attributes.has('open') || attributes.has('defaultopen')
  return [
    {
      object: 'block',
      type: 'expandable',
      isVoid: true,
      data: isOpen ? { defaultExpanded: true } : {},
      fragments: [
        fragment('expandable-title', [paragraph(readTitle(named, inside))]),
        fragment(
          'expandable-body',
          readFilled(
            children.filter((_, index) => index !== at),
            inside,
          ),
        ),
      ],
    },
  ]
}

const columns: Read = (element, children, context) => {
  const { parts, rest } = partsOf('column', children)
  if (parts.length === 0) return readCards(children, context)
  const made = parts.map((part): Column => parentBlock('column', {}, readFilled(part.children, deeper(context))))
  return [...words(element.attributes, context), parentBlock('columns', {}, made), ...readBlocks(rest, context)]
}

/** A frame around images gives the last of them its caption. */
const frame: Read = ({ attributes }, children, context) => {
  const blocks = readBlocks(children, context)
  const caption = attributes.get('caption') ?? attributes.get('title')
  if (!caption) return blocks
  const captionText = readTitle(caption, context)
  const at = blocks.findLastIndex((block) => block.type === 'images')
  const found = blocks[at]
  const last = found?.type === 'images' ? found.nodes.at(-1) : undefined
  if (found?.type !== 'images' || last === undefined || last.fragments.length > 0)
    return [...blocks, paragraph(captionText)]
  return blocks.with(at, { ...found, nodes: found.nodes.with(-1, image(last.data, [captionText])) })
}

/** `<ParamField path="id" type="string" required>`: the name, what it is, and what is said about it. */
const field: Read = ({ attributes }, children, context) => {
  const name = ['name', 'path', 'query', 'body', 'header'].map((key) => attributes.get(key)).find((value) => value)
  const facts = [
    attributes.get('type'),
    attributes.has('required') && attributes.get('required') !== 'false' ? 'required' : undefined,
    attributes.get('default') ? `default: ${attributes.get('default')}` : undefined,
  ].filter((fact) => fact)
  const head = paragraph([
    ...(name === undefined
      ? []
      : [
          text(name, [
            { object: 'mark', type: 'bold' },
            { object: 'mark', type: 'code' },
          ]),
        ]),
    ...(facts.length === 0 ? [] : [text(`${name === undefined ? '' : ' '}${facts.join(', ')}`)]),
  ])
  return [...(head.nodes.length === 0 ? [] : [head]), ...readBlocks(children, context)]
}

/** `<CodeBlock language="js">` around code, or with the code in an attribute. */
const codeComponent: Read = ({ attributes }, children, context) => {
  const syntax = attributes.get('language') ?? attributes.get('lang')
  const title = attributes.get('title')
  const own = attributes.get('code')
  const data = { ...(syntax ? { syntax } : {}), ...(title ? { title } : {}) }
  if (own !== undefined) return [code(own, data)]
  const blocks = readBlocks(children, context)
  const at = blocks.findIndex((block) => block.type === 'code')
  const found = blocks[at]
  return found?.type === 'code' ? blocks.with(at, { ...found, data: { ...found.data, ...data } }) : blocks
}

const embed: Read = ({ name, attributes }, children, context) => {
  const id = attributes.get('id') ?? attributes.get('videoid') ?? attributes.get('video-id')
  const host = name === 'Vimeo' ? 'https://vimeo.com/' : 'https://www.youtube.com/watch?v='
  const url =
    attributes.get('url') ?? attributes.get('src') ?? (id && /^[\w-]{1,40}$/.test(id) ? `${host}${id}` : undefined)
  const isKnown = url !== undefined && url.length <= 2048 && isSafeUrl(url)
  return [...(isKnown ? [voidBlock('embed', { url })] : []), ...readBlocks(children, context)]
}

const isName = (icon: string): boolean => /^[\w-]{1,50}$/.test(icon)

const readers: Readonly<Record<BlockRole, Read>> = {
  accordion,
  box,
  callout: ({ name, attributes }, children, context) => readCalloutComponent(name, attributes, children, context),
  card: box,
  cards: ({ attributes }, children, context) => [...words(attributes, context), ...readCards(children, context)],
  code: codeComponent,
  'code-group': codeGroup,
  column: box,
  columns,
  embed,
  field,
  frame,
  hidden: () => [],
  step: box,
  steps,
  tab: box,
  tabs,
}
