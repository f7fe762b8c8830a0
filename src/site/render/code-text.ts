/** The text of a code block as a reader sees it, line by line: what is highlighted and what is copied. */
import type { Code, CodeLine } from '../../core/document/tree/nodes.ts'

type Evaluate = (expression: string) => string | undefined

export function codeText(block: Code, evaluate: Evaluate): string[] {
  return block.nodes.map((line) => line.nodes.map((node) => codeNodeText(node, evaluate)).join(''))
}

export function codeNodeText(node: CodeLine['nodes'][number], evaluate: Evaluate): string {
  if (node.object === 'text') return node.leaves.map((leaf) => leaf.text).join('')
  // A line must stay one line, or every line number after it would be wrong.
  if (node.type === 'expression') return (evaluate(node.data.expression) ?? '').replace(/\s*\n\s*/g, ' ')
  return node.nodes.map((child) => child.leaves.map((leaf) => leaf.text).join('')).join('')
}
