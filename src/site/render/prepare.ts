/**
 * The asynchronous phase: goes through all that will be shown (reusable contents included, hidden branches not) and
 * computes what takes time or loading. After it, writing the page is one synchronous pass.
 */
import type { Code, JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { childrenOf } from '../../core/document/tree/walk.ts'
import { codeText } from './code-text.ts'
import { highlight } from './highlight.ts'
import type { Html } from './html.ts'
import { mathKey, renderMath } from './math.ts'
import { deepestInclude, type Prepared, type Questions } from './scope.ts'
import type { Highlighted } from './tokenize.ts'

export async function prepareDocument(document: JSONDocument | undefined, questions: Questions): Promise<Prepared> {
  const code = new Map<Node, Highlighted>()
  const math = new Map<string, Html | undefined>()
  if (document === undefined) return { code, math }
  const found = withinBudget(collect(document, questions), questions)
  const blocks = found.code.map(async (block) => {
    const outcome = await highlight(codeText(block, questions.evaluate).join('\n'), block.data.syntax ?? '')
    if (outcome !== undefined) code.set(block, outcome)
  })
  for (const { formula, display } of found.math) math.set(mathKey(formula, display), await renderMath(formula, display))
  await Promise.all(blocks)
  return { code, math }
}

/** What one page may have of what is costly; the rest of it is shown as its author wrote it. */
export const pageBudget = { formulas: 2_000, formulaCharacters: 100_000, codeLines: 10_000, embeds: 200 } as const

function withinBudget({ code, math }: Found, questions: Questions): Found {
  let characters = 0
  let lines = 0
  return {
    math: math.slice(0, pageBudget.formulas).filter(({ formula }) => {
      characters += formula.length
      return characters <= pageBudget.formulaCharacters
    }),
    code: code.filter((block) => {
      lines += codeText(block, questions.evaluate).length
      return lines <= pageBudget.codeLines
    }),
  }
}

interface Found {
  code: Code[]
  math: { formula: string; display: boolean }[]
}

function collect(document: JSONDocument, questions: Questions): Found {
  const found: Found = { code: [], math: [] }
  const visit = (node: Node, depth: number): void => {
    if (node.object === 'text') return
    if (node.object !== 'fragment') {
      if (node.type === 'if' && !questions.holds(node.data.expression)) return
      if (node.type === 'code') found.code.push(node)
      if (node.type === 'math') found.math.push({ formula: node.data.formula, display: true })
      if (node.type === 'inline-math') found.math.push({ formula: node.data.formula, display: false })
      if (node.type === 'reusable-content' && depth < deepestInclude) {
        const included = questions.reusable(node.data.ref)
        for (const child of included?.nodes ?? []) visit(child, depth + 1)
      }
    }
    for (const child of childrenOf(node)) visit(child, depth)
  }
  for (const node of document.nodes) visit(node, 0)
  return found
}
