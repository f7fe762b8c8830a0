/** Elements that say nothing of a page: scripts, buttons, links beside headings, what is hidden from readers. */
import type { HtmlContext } from './context.ts'
import { attribute, classesOf, type HtmlElement, wordsOf } from './tree.ts'

const silent = new Set([
  'script', 'style', 'noscript', 'template', 'svg', 'button', 'form', 'select', 'textarea', 'object', 'link', 'meta', 'head',
  'title', 'canvas', 'dialog', 'colgroup', 'base', 'audio',
]) // biome-ignore format: a list of names.

const noisy = new Set([
  'hash-link', 'headerlink', 'header-anchor', 'anchor-link', 'sr-only', 'visually-hidden', 'sl-anchor-link', 'edit-this-page',
  'theme-doc-toc-mobile', 'table-of-contents', 'toc-macro', 'copy', 'mw-editsection', 'breadcrumbs', 'theme-doc-breadcrumbs',
  'pagination-nav', 'theme-doc-footer', 'skip-link', 'screen-reader-text',
]) // biome-ignore format: a list of names.

export function isNoise(element: HtmlElement, { isSkipped }: HtmlContext): boolean {
  const { tagName } = element
  if (tagName === 'script' && attribute(element, 'type')?.startsWith('math/tex')) return false
  if (silent.has(tagName) || isSkipped?.(element)) return true
  if (tagName === 'input') return true
  if (attribute(element, 'hidden') !== undefined) return attribute(element, 'role') !== 'tabpanel'
  const classes = classesOf(element)
  if (classes.some((name) => noisy.has(name))) return true
  // The sign beside a heading that gives its address.
  if (tagName === 'a' && /^[#¶§\u200b\s]*$/u.test(wordsOf(element)) && isOwnAddress(element)) return true
  return attribute(element, 'aria-hidden') === 'true' && tagName !== 'img'
}

const isOwnAddress = (element: HtmlElement): boolean =>
  (attribute(element, 'href') ?? '').startsWith('#') && !element.childNodes.some((child) => child.nodeName === 'img')
