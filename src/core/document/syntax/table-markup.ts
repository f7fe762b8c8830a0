/**
 * The attributes that say in HTML what a table's view and columns are; read and printed side by side, so that the two
 * cannot drift apart.
 */
import { listOf, record, required, string } from '../tree/fields.ts'
import {
  columnTextAlignments,
  type Table,
  type TableDefinition,
  type TableSelectOption,
  type TableView,
  verticalAlignments,
} from '../tree/nodes.ts'
import type { Attributes } from './html-scan.ts'

export type Printed = readonly (readonly [name: string, value: string | number | true | undefined])[]

const flag = (value: boolean | undefined): true | undefined => (value === true ? true : undefined)
export const isOn = (attributes: Attributes, name: string): boolean =>
  attributes.has(name) && attributes.get(name) !== 'false'

export function tableAttributes({ view, fullWidth, search }: Table['data']): Printed {
  const whole = [
    ['data-full-width', fullWidth === true ? 'true' : undefined],
    ['data-search', flag(search)],
  ] as const
  if (view.type === 'grid')
    return [
      ['data-header-hidden', flag(view.hideHeader)],
      ['data-sticky-header', flag(view.stickyHeader)],
      ['data-sticky-first-column', flag(view.stickyFirstColumn)],
      ['data-new-sizing', flag(view.useNewSizing)],
      ...whole,
    ]
  return [
    ['data-card-size', view.cardSize === 'large' ? 'large' : undefined],
    ['data-view', 'cards'],
    ['data-column-title-hidden', flag(view.hideColumnTitle)],
    ['data-card-wrap', flag(view.wrap)],
    ...whole,
  ]
}

/** The names that repositories use, and the ones that we printed before we knew it. */
const titlesHidden = ['data-column-title-hidden', 'data-hide-column-title']
const wrapping = ['data-card-wrap', 'data-wrap']

export function readView(
  attributes: Attributes,
  heads: readonly Attributes[],
  definitions: readonly TableDefinition[],
  hasHead: boolean,
): TableView {
  const columns = definitions.flatMap(({ id }, index) => (heads[index]?.has('data-hidden') ? [] : [id]))
  const findDefinition = (name: string): string | undefined =>
    definitions[heads.findIndex((head) => head.has(name))]?.id
  if (attributes.get('data-view') === 'cards') {
    const targetDefinition = findDefinition('data-card-target')
    const coverDefinition = findDefinition('data-card-cover')
    const coverDefinitionDark = findDefinition('data-card-cover-dark')
    return {
      type: 'cards',
      cardSize: attributes.get('data-card-size') === 'large' ? 'large' : 'medium',
      columns,
      ...(targetDefinition === undefined ? {} : { targetDefinition }),
      ...(coverDefinition === undefined ? {} : { coverDefinition }),
      ...(coverDefinitionDark === undefined ? {} : { coverDefinitionDark }),
      ...(titlesHidden.some((name) => isOn(attributes, name)) ? { hideColumnTitle: true } : {}),
      ...(wrapping.some((name) => isOn(attributes, name)) ? { wrap: true } : {}),
    }
  }
  const widths = definitions.flatMap(({ id }, index) => {
    const width = heads[index]?.get('width')
    return width === undefined || width.trim() === '' || !Number.isFinite(Number(width))
      ? []
      : [[id, Number(width)] as const]
  })
  return {
    type: 'grid',
    columns,
    hideHeader: !hasHead || isOn(attributes, 'data-header-hidden'),
    ...(widths.length > 0 ? { columnWidths: Object.fromEntries(widths) } : {}),
    ...(isOn(attributes, 'data-sticky-header') ? { stickyHeader: true } : {}),
    ...(isOn(attributes, 'data-sticky-first-column') ? { stickyFirstColumn: true } : {}),
    ...(isOn(attributes, 'data-new-sizing') ? { useNewSizing: true } : {}),
  }
}

export function headAttributes(column: TableDefinition, view: TableView, isShown: boolean): Printed {
  const isCards = view.type === 'cards'
  return [
    ['width', isCards ? undefined : view.columnWidths?.[column.id]],
    ['data-hidden', flag(!isShown)],
    ['data-card-target', flag(isCards && view.targetDefinition === column.id)],
    ['data-card-cover', flag(isCards && view.coverDefinition === column.id)],
    ['data-card-cover-dark', flag(isCards && view.coverDefinitionDark === column.id)],
    ['data-type', column.type === 'text' ? undefined : column.type],
    ...typeAttributes(column),
  ]
}

function typeAttributes(column: TableDefinition): Printed {
  switch (column.type) {
    case 'text':
      return [
        ['align', column.textAlignment === 'left' ? undefined : column.textAlignment],
        ['valign', column.verticalAlignment],
      ]
    case 'users':
      return [['data-multiple', flag(column.multiple)]]
    case 'rating':
      return [['data-max', column.max]]
    case 'select':
      return [
        ['data-multiple', flag(column.multiple)],
        ['data-options', JSON.stringify(column.options)],
      ]
    default:
      return []
  }
}

export function readDefinition(id: string, title: string, attributes: Attributes): TableDefinition {
  const type = attributes.get('data-type')
  switch (type) {
    case 'number':
    case 'checkbox':
    case 'files':
    case 'content-ref':
    case 'image':
      return { id, title, type }
    case 'users':
      return { id, title, type, multiple: isOn(attributes, 'data-multiple') }
    case 'rating': {
      const max = Number(attributes.get('data-max') ?? 5)
      return { id, title, type, max: Number.isInteger(max) && max >= 1 && max <= 100 ? max : 5 }
    }
    case 'select':
      return {
        id,
        title,
        type,
        multiple: isOn(attributes, 'data-multiple'),
        options: optionsOf(attributes.get('data-options')),
      }
    default: {
      const align = columnTextAlignments.find((candidate) => candidate === attributes.get('align')) ?? 'left'
      const verticalAlignment = verticalAlignments.find((candidate) => candidate === attributes.get('valign'))
      return {
        id,
        title,
        type: 'text',
        textAlignment: align,
        ...(verticalAlignment === undefined ? {} : { verticalAlignment }),
      }
    }
  }
}

const readOption = record({ value: required(string), label: required(string), color: required(string) })

function optionsOf(json: string | undefined): TableSelectOption[] {
  if (json === undefined) return []
  try {
    return listOf(readOption, 1000)(JSON.parse(json), '').map(({ value, label, color }) => ({
      value: String(value),
      label: String(label),
      color: String(color),
    }))
  } catch {
    return []
  }
}
