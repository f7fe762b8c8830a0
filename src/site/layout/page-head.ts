/** The block over the text: breadcrumbs, title, description, tags, actions; and the outline. */

import { safeUrl } from '../../core/safe-url.ts'
import { type OutlineEntry, type RenderContext, styleClass, targetOf } from '../render/context.ts'
import { attr, type Html, html, isEmpty, nothing } from '../render/html.ts'
import { uiIcon } from '../render/icons.ts'
import { type Chrome, lead, siteTitle } from './chrome.ts'
import type { PageView } from './page-view.ts'

export function renderPageHead(chrome: Chrome, view: PageView): Html {
  const { page } = view
  const show = page.layout ?? {}
  const icon = lead(chrome, page)
  const title = html`<h1${attr('class', show.title === false ? 'sr' : undefined)}>${!isEmpty(icon) && html`<span class="title-icon">${icon}</span>`}<span>${page.title}</span></h1>`
  const description =
    page.description && show.description !== false ? html`<p class="description">${page.description}</p>` : nothing
  const isBare = show.actions === false || (show.metadata === false && show.title === false)
  const actions = isBare ? nothing : renderActions(chrome, view)
  return html`<div class="page-head">${renderCrumbs(chrome, view)}${title}${actions}${description}${renderTags(page)}</div>`
}

function renderTags({ tags = [], layout }: PageView['page']): Html {
  if (tags.length === 0 || layout?.tags === false) return nothing
  return html`<ul class="chips tags">${tags.map((tag) => html`<li class="chip">${tag}</li>`)}</ul>`
}

/** The last crumb stands over the title in the site's colour, as the name of where one is. */
function renderCrumbs({ strings, icons }: Chrome, view: PageView): Html {
  if (view.breadcrumbs.length === 0 || view.page.layout?.title === false) return nothing
  const items = view.breadcrumbs.map(({ title, href }, at) => {
    const safe = href === undefined ? undefined : safeUrl(href)
    const words = safe === undefined ? html`<span>${title}</span>` : html`<a href="${safe}">${title}</a>`
    return html`<li>${at > 0 && uiIcon(icons, 'chevron-right')}${words}</li>`
  })
  return html`<nav class="crumbs" aria-label="${strings.breadcrumbs}"><ol>${items}</ol></nav>`
}

/** The menu that the owner chose, in its order. Its first item is the button beside it, where that makes sense. */
function renderActions(chrome: Chrome, view: PageView): Html {
  const { strings, icons } = chrome
  const chosen = view.customization.pageActions.items
  if (chosen.length === 0) return nothing
  const markdown = chosen.includes('markdown') && view.page.markdownUrl ? safeUrl(view.page.markdownUrl) : undefined
  const items = chosen.map((item) => renderAction(chrome, view, item))
  const print = html`<li class="scripted"><button type="button" data-print>${uiIcon(icons, 'printer')}${strings.print}</button></li>`
  const copy =
    markdown === undefined
      ? nothing
      : html`<button class="action scripted" type="button" data-copy-page="${markdown}">${uiIcon(icons, 'copy')}${uiIcon(icons, 'check')}<span>${strings.copyPage}</span></button>`
  return html`<div class="actions">${copy}<details class="menu end" data-menu><summary class="action" aria-label="${strings.actions}">${uiIcon(icons, markdown === undefined ? 'ellipsis' : 'chevron-down')}</summary><ul class="menu-list">${items}${print}</ul></details></div>`
}

type Action = PageView['customization']['pageActions']['items'][number]

function renderAction({ strings, icons }: Chrome, { page, site }: PageView, action: Action): Html {
  const item = (url: string | undefined, image: string, label: string): Html => {
    const href = url ? safeUrl(url) : undefined
    return href === undefined
      ? nothing
      : html`<li><a href="${href}" data-plain>${uiIcon(icons, image)}${label}</a></li>`
  }
  switch (action) {
    case 'markdown':
      return item(page.markdownUrl, 'file-text', strings.viewMarkdown)
    case 'git':
      return item(page.edit?.url, 'square-pen', page.edit?.host ? strings.editOn(page.edit.host) : strings.edit)
    case 'pdf':
      return item(page.pdfUrl, 'file-down', strings.pdf)
    case 'mcp':
      return item(`${site.url}/~mcp`, 'plug', strings.mcp)
    case 'external-ai':
      return html`${outside.map(({ name, start }) => item(questionAt(start, page, strings), 'sparkles', strings.openIn(name)))}`
    default:
      return nothing
  }
}

/** Assistants of others that take a question in their address. */
const outside = [
  { name: 'ChatGPT', start: 'https://chatgpt.com/?q=' },
  { name: 'Perplexity', start: 'https://www.perplexity.ai/search?q=' },
]

const questionAt = (start: string, page: PageView['page'], strings: Chrome['strings']): string | undefined =>
  page.canonical === undefined ? undefined : `${start}${encodeURIComponent(strings.readPage(page.canonical))}`

/** On wide screens a column that follows the reader; on narrow ones a fold under the title, which needs no script. */
export function renderOutline({ strings, icons }: Chrome, view: PageView, outline: readonly OutlineEntry[]): Html {
  if (view.page.layout?.outline === false || outline.length < 2) return nothing
  // Indented from the highest heading there is: steps begin a level lower than sections.
  const highest = Math.min(...outline.map(({ level }) => level))
  const items = outline
    .slice(0, 200)
    .map(
      ({ id, title, level }) =>
        html`<li class="level-${level - highest + 1}"><a href="#${encodeURIComponent(id)}">${title}</a></li>`,
    )
  return html`<nav class="outline" aria-label="${strings.onThisPage}"><input class="outline-switch sr" type="checkbox" id="outline-switch" aria-label="${strings.onThisPage}"><label class="outline-label" for="outline-switch">${uiIcon(icons, 'text-align-start')}${strings.onThisPage}${uiIcon(icons, 'chevron-down')}</label><ul>${items}</ul></nav>`
}

export function renderCover(context: RenderContext, view: PageView): Html {
  const { cover, layout } = view.page
  if (cover === undefined || layout?.cover === false) return nothing
  const light = targetOf(context, cover.ref)
  if (light === undefined) return nothing
  const dark = targetOf(context, cover.refDark)
  const y = Math.min(100, Math.max(-100, Number(cover.yPos) || 0))
  const position = styleClass(context, `object-position:50% ${Math.round(50 - y / 2)}%`)
  const height =
    cover.height !== undefined && cover.height >= 80 && cover.height <= 1000
      ? ` ${styleClass(context, `--cover:${Math.round(cover.height)}px`)}`
      : ''
  const size = layout?.coverSize === 'full' || layout?.coverSize === 'background' ? layout.coverSize : 'hero'
  const picture = (href: string, mode: string): Html =>
    html`<img class="${`${mode} ${position}`.trim()}" src="${href}" alt="" decoding="async">`
  const pictures =
    dark === undefined
      ? picture(light.href, '')
      : html`${picture(light.href, 'in-light')}${picture(dark.href, 'in-dark')}`
  return html`<div class="cover ${size}${height}">${pictures}</div>`
}

export const pageTitle = (view: PageView): string => view.page.title.trim() || siteTitle(view)
