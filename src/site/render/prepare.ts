/**
 * The asynchronous phase: goes through all that will be shown (reusable contents included, hidden branches not) and
 * computes what takes time or loading. After it, writing the page is one synchronous pass.
 */

import type { Code, JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { childrenOf } from '../../core/document/tree/walk.ts'
import { isSpecBlock, type SpecBlock } from '../../core/openapi/block-view.ts'
import type { Highlighted } from '../../theme/token-kinds.ts'
import { pageBudget } from './budget.ts'
import { codeText } from './code-text.ts'
import { deepestInclude, type Prepared, type Questions } from './context.ts'
import { codePart, type HighlightTask, highlightAll, type RenderTools } from './highlight.ts'
import { type Formula, formulaPart, renderFormulas } from './math.ts'
import { type PreparedSpec, prepareSpec } from './openapi/prepare.ts'
import type { Part } from './parts.ts'

/** A page of many operations has hundreds of samples: those further down are shown without colours. */
const mostHighlighted = 80

export async function prepareDocument(
  document: JSONDocument | undefined,
  questions: Questions,
  tools: RenderTools,
): Promise<Prepared> {
  const code = new Map<Node, Highlighted>()
  const specs = new Map<Node, PreparedSpec>()
  if (document === undefined) return { code, math: new Map(), specs }
  const found = withinBudget(collect(document, questions), questions)
  for (const block of found.specs) {
    const part = questions.spec?.(block.data.ref)
    const prepared = part && prepareSpec(tools.caches, block, part, found.specs.length)
    if (!prepared) continue
    specs.set(block, prepared)
    const room = mostHighlighted - found.code.length
    if (prepared.kind === 'operation') found.code.push(...[...prepared.codes.values()].slice(0, Math.max(0, room)))
  }
  const highlighting = highlightAll(
    tools,
    found.code.map((block) => taskOf(block, questions)),
  )
  const math = await renderFormulas(tools, found.math)
  for (const [i, outcome] of (await highlighting).entries()) {
    const block = found.code[i]
    if (block && outcome) code.set(block, outcome)
  }
  return { code, math, specs }
}

const taskOf = (block: Code, { evaluate }: Questions): HighlightTask => ({
  code: codeText(block, evaluate).join('\n'),
  language: block.data.syntax ?? '',
})

/**
 * What readers of a document will ask for whoever they are: its code and formulas, those in every branch included. Code whose
 * text is not known before its reader is, and what specs and reusable contents bring along, are left out.
 */
export function* partsOf(document: JSONDocument): Generator<Part> {
  const { code, math } = withinBudget(collect(document, anyReader), anyReader)
  for (const block of code) {
    const isKnown = !block.nodes.some((line) => line.nodes.some(isExpression))
    const part = isKnown ? codePart(taskOf(block, anyReader)) : undefined
    if (part) yield part
  }
  for (const formula of math) {
    const part = formulaPart(formula)
    if (part) yield part
  }
}

const anyReader: Questions = {
  resolve: () => undefined,
  holds: () => true,
  evaluate: () => undefined,
  reusable: () => undefined,
}

const isExpression = (node: Node): boolean => node.object === 'inline' && node.type === 'expression'

function withinBudget({ code, math, ...rest }: Found, questions: Questions): Found {
  let characters = 0
  let lines = 0
  return {
    ...rest,
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
  specs: SpecBlock[]
  code: Code[]
  math: Formula[]
}

function collect(document: JSONDocument, questions: Questions): Found {
  const found: Found = { specs: [], code: [], math: [] }
  const visit = (node: Node, depth: number): void => {
    if (node.object === 'text') return
    if (node.object !== 'fragment') {
      if (node.type === 'if' && !questions.holds(node.data.expression)) return
      if (isSpecBlock(node)) found.specs.push(node)
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
