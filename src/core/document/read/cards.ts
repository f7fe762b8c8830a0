/** `<Card>`s of the documentation kits: one table that is shown as cards, a row for each. */

import { blockRoleOf } from '../syntax/components.ts'
import { type Attributes, isBlank } from '../syntax/html-scan.ts'
import { fragment, paragraph, text, voidInline } from '../tree/make.ts'
import type { Block, Fragment, Table, TableDefinition, TableValue } from '../tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../tree/table/table-ids.ts'
import { readBlocks } from './blocks.ts'
import { deeper, type ReadContext, resolveFile, resolveTarget } from './context.ts'
import type { Raw } from './raw.ts'
import { boldParagraph, readTitle } from './titles.ts'

type Card = { attributes: Attributes; children: readonly Raw[] }

/** Cards among other things: each stretch of cards is a table, and what stands between them stays there. */
export function readCards(children: readonly Raw[], context: ReadContext): Block[] {
  const blocks: Block[] = []
  let cards: Card[] = []
  let others: Raw[] = []
  const flush = (): void => {
    if (others.length > 0) blocks.push(...readBlocks(others, context))
    if (cards.length > 0) blocks.push(cardTable(cards, context))
    cards = []
    others = []
  }
  for (const raw of children) {
    if (isNothing(raw)) continue
    const isCard = raw.kind === 'element' && blockRoleOf(raw.element.name) === 'card'
    if (isCard ? others.length > 0 : cards.length > 0) flush()
    if (isCard) cards.push({ attributes: raw.element.attributes, children: raw.children })
    else others.push(raw)
  }
  flush()
  return blocks
}

function isNothing(raw: Raw): boolean {
  return raw.kind === 'gap' || (raw.kind === 'html-text' && isBlank(raw.source))
}

const [titles, words, targets, covers] = [0, 1, 2, 3].map(columnId) as [string, string, string, string]

function cardTable(cards: readonly Card[], context: ReadContext): Table {
  const inside = deeper(context, 2)
  const fragments: Fragment<'table-cell'>[] = []
  const records: Table['data']['records'] = {}
  const hasCover = cards.some(({ attributes }) => coverOf(attributes) !== undefined)
  cards.forEach(({ attributes, children }, index) => {
    const row = rowId(index)
    const values: Record<string, TableValue> = {}
    const cell = (column: string, nodes: Block[]): void => {
      values[column] = cellName(row, column)
      fragments.push(fragment('table-cell', nodes.length === 0 ? [paragraph()] : nodes, cellName(row, column)))
    }
    cell(titles, [titleOf(attributes, inside)])
    const description = attributes.get('description')
    const body = description ? [paragraph(readTitle(description, inside))] : []
    cell(words, [...body, ...readBlocks(children, inside)])
    const target = attributes.get('href') ?? attributes.get('link') ?? attributes.get('to')
    const ref = target ? resolveTarget(context, target, 'content-ref') : null
    if (ref !== null) values[targets] = ref
    const cover = hasCover ? coverOf(attributes) : undefined
    const image = cover === undefined ? null : resolveFile(context, cover, 'image')
    if (image !== null) values[covers] = image
    records[row] = { orderIndex: orderIndexAt(index), values }
  })
  const wordsColumn = (id: string): TableDefinition => ({ id, title: '', type: 'text', textAlignment: 'left' })
  const definition: Record<string, TableDefinition> = {
    [titles]: wordsColumn(titles),
    [words]: wordsColumn(words),
    [targets]: { id: targets, title: '', type: 'content-ref' },
    ...(hasCover ? { [covers]: { id: covers, title: '', type: 'image' } } : {}),
  }
  const view: Table['data']['view'] = {
    type: 'cards',
    cardSize: 'medium',
    columns: [titles, words],
    targetDefinition: targets,
    ...(hasCover ? { coverDefinition: covers } : {}),
  }
  return { object: 'block', type: 'table', isVoid: true, data: { view, records, definition }, fragments }
}

const coverOf = (attributes: Attributes): string | undefined =>
  attributes.get('img') ?? attributes.get('image') ?? undefined

function titleOf(attributes: Attributes, context: ReadContext): Block {
  const icon = attributes.get('icon')
  const title = attributes.get('title')
  const { nodes, ...words } = boldParagraph(title ? readTitle(title, context) : [])
  if (icon === undefined || !/^[\w-]{1,50}$/.test(icon)) return { ...words, nodes }
  return { ...words, nodes: [voidInline('icon', { icon }), ...(nodes.length === 0 ? [] : [text(' ')]), ...nodes] }
}
