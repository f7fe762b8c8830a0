/**
 * Operations of an API as older pages write them by hand: `{% swagger %}` without a file, and `{% api-method %}`. They
 * become what they showed: a heading, the address, tables of parameters, and a tab for each answer.
 */
import type { Tag } from '../syntax/tags.ts'
import { code, fragment, heading, paragraph, parentBlock, text } from '../tree/make.ts'
import type { Block, Fragment, Mark, Table, TableDefinition, TabsItem } from '../tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../tree/table/table-ids.ts'
import { readBlocks, readFilled } from './blocks.ts'
import { deeper, type ReadContext } from './context.ts'
import type { Raw } from './raw.ts'
import { readTitle, titleParagraphs } from './titles.ts'

type TagRaw = Extract<Raw, { kind: 'tag' }>

/** Whether the tag describes an operation itself, instead of naming a file that does. */
export const isWrittenByHand = ({ name, attributes }: Tag): boolean =>
  name === 'api-method' || (name === 'swagger' && !attributes.has('src') && !attributes.has('spec'))

export function readLegacyOperation({ attributes }: Tag, children: readonly Raw[], context: ReadContext): Block[] {
  const found: Found = { summary: [], description: [], parameters: new Map(), answers: [], rest: [] }
  sort(children, found, '')
  const method = (attributes.get('method') ?? '').toUpperCase()
  const path = attributes.get('path') ?? ''
  const address = `${method} ${attributes.get('baseUrl') ?? attributes.get('host') ?? ''}${path}`.trim()
  const summary = attributes.get('summary')
  const title = summary ? readTitle(summary, context) : wordsOf(readBlocks(found.summary, context))
  const head = title.length > 0 ? title : [text(path || address || 'API')]
  return [
    heading('heading-2', head),
    ...(address === '' ? [] : [code(address, { syntax: 'http' })]),
    ...readBlocks(found.description, context),
    ...[...found.parameters].flatMap(([location, tags]) => [
      ...titleParagraphs(`${locationNames[location] ?? 'Other'} parameters`, context),
      parameterTable(tags, context),
    ]),
    ...answersOf(found.answers, context),
    ...readBlocks(found.rest, context),
  ]
}

type Found = {
  summary: Raw[]
  description: Raw[]
  parameters: Map<string, TagRaw[]>
  answers: TagRaw[]
  rest: Raw[]
}

const locationNames: Readonly<Record<string, string>> = {
  path: 'Path',
  query: 'Query',
  header: 'Header',
  headers: 'Header',
  body: 'Body',
  'form-data': 'Form',
}

/** Puts every part of an operation where it is shown, through the tags that only group them. */
function sort(children: readonly Raw[], found: Found, location: string): void {
  for (const raw of children) {
    const name = raw.kind === 'tag' ? raw.tag.name.replace(/^(?:swagger|api-method)-/, '') : undefined
    if (raw.kind !== 'tag' || name === undefined) found.rest.push(raw)
    else if (name === 'summary') found.summary.push(...raw.children)
    else if (name === 'description') found.description.push(...raw.children)
    else if (name === 'response' && raw.tag.name.startsWith('swagger')) found.answers.push(raw)
    else if (name === 'response-example') found.answers.push(raw)
    else if (name === 'parameter') {
      const where = raw.tag.attributes.get('in') ?? location
      found.parameters.set(where, [...(found.parameters.get(where) ?? []), raw])
    } else if (/^(?:spec|request|response|.*parameters|headers)$/.test(name))
      sort(raw.children, found, name.replace(/-?parameters$/, ''))
    else found.rest.push(raw)
  }
}

const marks = (...types: ('bold' | 'code' | 'italic')[]): Mark[] => types.map((type) => ({ object: 'mark', type }))

function parameterTable(tags: readonly TagRaw[], context: ReadContext): Table {
  const columns = ['Name', 'Type', 'Description'].map(
    (title, at): TableDefinition => ({ id: columnId(at), title, type: 'text', textAlignment: 'left' }),
  )
  const records: Table['data']['records'] = {}
  const fragments: Fragment<'table-cell'>[] = []
  tags.forEach(({ tag, children }, index) => {
    const row = rowId(index)
    const isRequired = tag.attributes.get('required') === 'true'
    const name = tag.attributes.get('name') ?? ''
    const type = tag.attributes.get('type') ?? ''
    const cells: Block[][] = [
      [
        paragraph([
          ...(name === '' ? [] : [text(name, marks('code'))]),
          ...(isRequired ? [text(name === '' ? '' : ' '), text('required', marks('italic'))] : []),
        ]),
      ],
      [paragraph(type)],
      readFilled(children, deeper(context)),
    ]
    records[row] = {
      orderIndex: orderIndexAt(index),
      values: Object.fromEntries(columns.map(({ id }) => [id, cellName(row, id)])),
    }
    for (const [at, { id }] of columns.entries())
      fragments.push(fragment('table-cell', cells[at] ?? [paragraph()], cellName(row, id)))
  })
  const ids = columns.map(({ id }) => id)
  const data: Table['data'] = {
    view: { type: 'grid', columns: ids, hideHeader: false },
    records,
    definition: Object.fromEntries(columns.map((column) => [column.id, column])),
  }
  return { object: 'block', type: 'table', isVoid: true, data, fragments }
}

function answersOf(answers: readonly TagRaw[], context: ReadContext): Block[] {
  if (answers.length === 0) return []
  const items = answers.map(({ tag, children }): TabsItem => {
    const status = tag.attributes.get('status') ?? tag.attributes.get('httpCode') ?? ''
    const description = tag.attributes.get('description') ?? ''
    const title = [status, description].filter((part) => part !== '').join(': ')
    const inner = children.flatMap((raw) =>
      raw.kind === 'tag' && raw.tag.name.endsWith('-description') ? raw.children : [raw],
    )
    return parentBlock('tabs-item', title === '' ? {} : { title }, readFilled(inner, deeper(context)))
  })
  return [...titleParagraphs('Responses', context), parentBlock('tabs', {}, items)]
}

function wordsOf(blocks: readonly Block[]) {
  return blocks.flatMap((block) => (block.type === 'paragraph' ? block.nodes : []))
}
