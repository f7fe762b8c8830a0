/**
 * Comments of writers to each other. The tree has no block for them, so that they are kept as the block of an integration,
 * which shows nothing: no reader sees them, and no export loses them.
 */
import { voidBlock } from './make.ts'
import type { Block, Integration } from './nodes.ts'

export function comment(text: string): Integration {
  return voidBlock('integration', { integration: 'markdown', block: 'comment', props: { text } })
}

/** The words of a comment; nothing for any other block. */
export function commentOf(block: Block): string | undefined {
  if (block.type !== 'integration') return undefined
  const { integration, block: name, props, action, url, fullWidth } = block.data
  const isComment = integration === 'markdown' && name === 'comment' && Object.keys(props).length === 1
  if (!isComment || action !== undefined || url !== undefined || fullWidth !== undefined) return undefined
  return typeof props.text === 'string' ? props.text : undefined
}
