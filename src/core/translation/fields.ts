/** The fields of nodes that readers see as words. */
import type { Node, Table, TableDefinition } from '../document/tree/nodes.ts'

/** The node with the words in its own fields replaced, not those of its children. */
export function withText(node: Node, replace: (text: string) => string): Node {
  const change = (text: string): string => (text.trim() === '' ? text : replace(text))
  if (node.object === 'inline' && node.type === 'button')
    return { ...node, data: { ...node.data, label: change(node.data.label) } }
  if (node.object === 'inline' && node.type === 'inline-image') {
    const { alt, caption } = node.data
    return {
      ...node,
      data: {
        ...node.data,
        ...(alt === undefined ? {} : { alt: change(alt) }),
        ...(caption === undefined ? {} : { caption: change(caption) }),
      },
    }
  }
  if (node.object === 'inline' && node.type === 'mention' && node.data.label !== undefined)
    return { ...node, data: { ...node.data, label: change(node.data.label) } }
  if (node.object !== 'block') return node
  if (node.type === 'content-ref' && node.data.label !== undefined)
    return { ...node, data: { ...node.data, label: change(node.data.label) } }
  if (node.type === 'embed' && node.data.caption !== undefined)
    return { ...node, data: { ...node.data, caption: change(node.data.caption) } }
  if (node.type === 'drawing' && node.data.alt !== undefined)
    return { ...node, data: { ...node.data, alt: change(node.data.alt) } }
  if (node.type === 'image' && node.data.alt !== undefined)
    return { ...node, data: { ...node.data, alt: change(node.data.alt) } }
  if ((node.type === 'tabs-item' || node.type === 'openapi-schemas') && node.data.title !== undefined) {
    const title = change(node.data.title)
    return node.type === 'tabs-item'
      ? { ...node, data: { ...node.data, title } }
      : { ...node, data: { ...node.data, title } }
  }
  if (node.type === 'prompt') return { ...node, data: { ...node.data, description: change(node.data.description) } }
  return node.type === 'table' ? withTitles(node, change) : node
}

function withTitles(table: Table, change: (text: string) => string): Table {
  const definition: Record<string, TableDefinition> = {}
  for (const [id, column] of Object.entries(table.data.definition)) {
    const title = change(column.title)
    definition[id] =
      column.type === 'select'
        ? { ...column, title, options: column.options.map((option) => ({ ...option, label: change(option.label) })) }
        : { ...column, title }
  }
  return { ...table, data: { ...table.data, definition } }
}
