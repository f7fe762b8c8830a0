/** Diagrams that are written as the block of an integration: `{% @mermaid/diagram content="…" %}`. */
import type { Integration } from '../tree/nodes.ts'

/** The source of the diagram; nothing for any other integration. */
export function diagramOf({ data }: Integration): string | undefined {
  const { content } = data.props
  return data.integration === 'mermaid' && typeof content === 'string' && content !== '' ? content : undefined
}
