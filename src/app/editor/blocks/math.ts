/** Formulas, drawn by KaTeX as MathML, which browsers lay out themselves. Loaded with the first formula. */
import type { NodeView } from 'prosemirror-view'
import { expansionsOf } from '../../../core/document/formula.ts'
import { make } from '../dom.ts'
import { chooseNode, type MakeView, openSettings, type Site } from './view-parts.ts'

export async function drawFormula(into: HTMLElement, formula: string, display: boolean): Promise<void> {
  const maxExpand = expansionsOf(formula)
  if (maxExpand === undefined) return showSource(into, formula)
  const { default: katex } = await import('./katex.ts')
  try {
    katex.render(formula, into, {
      displayMode: display,
      output: 'mathml',
      throwOnError: true,
      trust: false,
      maxExpand,
      strict: 'ignore',
    })
    into.classList.remove('is-wrong')
  } catch {
    showSource(into, formula)
  }
}

function showSource(into: HTMLElement, formula: string): void {
  into.textContent = formula
  into.classList.add('is-wrong')
}

const view = (site: Site, dom: HTMLElement, display: boolean): NodeView => {
  let node = site.node
  const draw = (): void => {
    const { formula } = node.attrs.data
    dom.classList.toggle('is-empty', formula === '')
    dom.setAttribute('aria-label', formula)
    if (formula === '') dom.textContent = site.context.texts.panel.fields.formula
    else void drawFormula(dom, formula, display)
  }
  draw()
  dom.addEventListener('dblclick', () => openSettings(site))
  dom.addEventListener('click', () => chooseNode(site))
  return {
    dom,
    update(next) {
      if (next.type !== node.type) return false
      const isSame = next.attrs.data.formula === node.attrs.data.formula
      node = next
      if (!isSame) draw()
      return true
    },
    ignoreMutation: () => true,
  }
}

export const mathView: MakeView = (site) => view(site, make('div', { class: 'math', role: 'img' }), true)
export const inlineMathView: MakeView = (site) => view(site, make('span', { class: 'math-inline', role: 'img' }), false)
