/**
 * The page tree as HTML: links first, so that it works as a plain list. A branch that is closed is a link to its page,
 * where it stands open; the browser script turns the drawn chevrons into buttons.
 */

import { safeUrl } from '../../core/safe-url.ts'
import type { Strings } from '../locales/strings.ts'
import { attr, type Html, html, join, nothing, print } from '../render/html.ts'
import type { IconStyle } from '../render/icons.ts'
import { type IconSheet, icon, newIconSheet, sprite, uiIcon } from '../render/icons.ts'
import { emojiText } from '../render/inlines.ts'
import type { TreeNode, TreeSlice } from './tree.ts'

interface TreeContext {
  icons: IconSheet
  strings: Strings
  basePath: string
}

export function renderTree(context: TreeContext, slice: TreeSlice): Html {
  return html`<ul class="tree">${renderLevel(context, slice)}</ul>`
}

/** The answer to a fetch of one level: its rows, and the icons they use. */
export function renderTreeFragment(
  slice: TreeSlice,
  context: { strings: Strings; basePath: string; iconStyle: IconStyle },
): string {
  const icons = newIconSheet(context.iconStyle)
  const rows = renderLevel({ ...context, icons }, slice)
  return print(html`<ul>${rows}</ul>${sprite(icons)}`)
}

/** Where the rest of a level is fetched from, and where its link leads without a script. */
function levelUrl(basePath: string, parent: string | undefined): string {
  return `${basePath}/~tree${parent === undefined ? '' : `/${encodeURIComponent(parent)}`}`
}

function renderLevel(context: TreeContext, slice: TreeSlice): Html {
  const more = (count: number): Html =>
    count === 0
      ? nothing
      : html`<li class="more"><a href="${levelUrl(context.basePath, slice.parent)}" data-more>${context.strings.morePages(count)}</a></li>`
  return join([more(slice.before), slice.nodes.map((node) => renderNode(context, node)), more(slice.after)])
}

function renderNode(context: TreeContext, node: TreeNode): Html {
  const { item, below } = node
  const inner =
    below?.nodes === undefined
      ? nothing
      : html`<ul${attr('hidden', !node.open)}>${renderLevel(context, below.nodes)}</ul>`
  if (item.kind === 'group') return renderGroup(context, node, inner)
  const words = html`${renderLead(context, item)}${item.title}`
  const href = item.href === undefined ? undefined : safeUrl(item.href)
  const away =
    item.kind === 'link' && href !== undefined && /^https?:/i.test(href)
      ? uiIcon(context.icons, 'arrow-up-right')
      : nothing
  const link =
    href === undefined
      ? html`<span>${words}</span>`
      : html`<a href="${href}"${node.current && html` aria-current="page"`}>${words}${away}</a>`
  if (below === undefined) return html`<li>${link}</li>`
  return html`<li class="branch${node.open && ' open'}" data-id="${item.id}">${link}${inner}</li>`
}

/** A group is a label over its pages; one whose pages were left out is a closed branch. */
function renderGroup(context: TreeContext, { item, below }: TreeNode, inner: Html): Html {
  const words = html`${renderLead(context, item)}${item.title}`
  if (below === undefined) return nothing
  if (below.nodes === undefined)
    return html`<li class="group branch" data-id="${item.id}"><a href="${levelUrl(context.basePath, item.id)}">${words}</a></li>`
  return html`<li class="group"><span class="label">${words}</span>${inner}</li>`
}

function renderLead(context: TreeContext, item: TreeNode['item']): Html {
  if (item.emoji) return html`<span class="emoji" aria-hidden="true">${emojiText(item.emoji)}</span>`
  return item.icon ? icon(context.icons, item.icon) : nothing
}
