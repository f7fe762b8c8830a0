/** Call-outs, as wikis and generators of docs mark them up: by class, each in its own words. */
import { paragraph, parentBlock, text } from '../../document/tree/make.ts'
import type { Block, Hint } from '../../document/tree/nodes.ts'
import type { HtmlContext, ReadBlocks } from './context.ts'
import { attribute, childrenOf, classesOf, findElement, type HtmlElement, lineIn } from './tree.ts'

const callouts =
  /^(?:admonition|theme-admonition|alert|callout|hint|custom-block|starlight-aside|aside|markdown-alert|confluence-information-macro|panel|info-box|notice)$/

const styles: readonly [RegExp, Hint['data']['style']][] = [
  [/danger|error|caution|failure|bug|critical/, 'danger'],
  [/warning|warn|attention|important(?!ly)/, 'warning'],
  [/success|tip|hint-success|check|confluence-information-macro-tip/, 'success'],
]

export function readHint(element: HtmlElement, context: HtmlContext, readBlocks: ReadBlocks): Block[] | undefined {
  if (!/^(?:div|aside|section|blockquote|p)$/.test(element.tagName)) return undefined
  const classes = classesOf(element)
  if (!classes.some((name) => callouts.test(name.replace(/^theme-admonition-.*/, 'theme-admonition')))) return undefined
  const style = styleOfHint(`${classes.join(' ')} ${attribute(element, 'data-type') ?? ''}`)
  const title = findElement(childrenOf(element), isTitle)
  const words = title ? lineIn(title) : ''
  const inner = { ...context, isSkipped: (one: HtmlElement) => one === title || context.isSkipped?.(one) === true }
  const body = readBlocks(childrenOf(element), inner)
  const nodes = isUsual(words) ? body : [paragraph([text(words, [{ object: 'mark', type: 'bold' }])]), ...body]
  return nodes.length === 0 ? [] : [parentBlock('hint', { style }, nodes)]
}

const styleOfHint = (words: string): Hint['data']['style'] =>
  styles.find(([pattern]) => pattern.test(words.toLowerCase()))?.[1] ?? 'info'

const titles =
  /^(?:admonition-title|admonition-heading|admonitionHeading.*|custom-block-title|starlight-aside__title|markdown-alert-title|alert-heading|panelHeader|title|callout-title)$/

const isTitle = (element: HtmlElement): boolean => classesOf(element).some((name) => titles.test(name))

/** The name of the kind itself says nothing that the look does not. */
const isUsual = (words: string): boolean =>
  /^(?:|note|info|information|tip|hint|warning|caution|danger|important|success|attention|error)$/i.test(words.trim())
