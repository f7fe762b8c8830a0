/** The page tree at the side; on narrow screens a drawer that opens without a script, by its own address. */
import { type Html, html, nothing } from '../render/html.ts'
import { uiIcon } from '../render/icons.ts'
import { type Chrome, siteTitle } from './chrome.ts'
import { renderHeaderLinks, renderSideTop, renderVariants } from './top.ts'
import { renderTree } from './tree-html.ts'

export function renderSide(chrome: Chrome): Html {
  const { frame, strings, icons } = chrome
  const icon = frame.customization.trademark.enabled
    ? html`<span class="mark">${strings.madeWith('Lectern')}</span>`
    : nothing
  return html`<nav class="side" id="side" aria-label="${strings.pages}" data-tree-key="${frame.treeKey}"><div class="side-head"><span class="site-name">${siteTitle(frame)}</span><a class="icon-button" href="#content" data-drawer-close aria-label="${strings.close}">${uiIcon(icons, 'x')}</a></div>${renderSideTop(chrome)}<div class="side-scroll" tabindex="-1">${renderTree({ icons, strings, basePath: frame.site.basePath }, frame.tree)}</div><div class="side-links">${renderVariants(chrome)}${renderHeaderLinks(chrome)}</div><div class="side-foot">${icon}</div></nav><a class="scrim" href="#content" data-drawer-close tabindex="-1" aria-hidden="true"></a>`
}
