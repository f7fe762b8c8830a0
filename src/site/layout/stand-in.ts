/** Pages that stand in for a page: a sentence, a way on, the search field. */

import { safeUrl } from '../../core/safe-url.ts'
import { type Html, html, nothing } from '../render/html.ts'
import { loadIcons } from '../render/icons.ts'
import { type Chrome, lead, siteTitle } from './chrome.ts'
import { chromeOf, writeShell } from './page.ts'
import type { PageLink, RenderedPage, SiteFrame } from './page-view.ts'
import { renderSearchForm, renderSearchResults } from './search.ts'
import type { SearchAnswer } from './search-answer.ts'
import type { TreeSlice } from './tree.ts'
import { renderTree } from './tree-html.ts'

/** A page that is not there, with the pages whose names come near. */
export function renderNotFound(frame: SiteFrame, near: readonly PageLink[] = []): Promise<RenderedPage> {
  return standIn(frame, (chrome) => {
    const { strings } = chrome
    const links = near
      .slice(0, 5)
      .map((page) => html`<li><a href="${safeUrl(page.href)}">${lead(chrome, page)}<span>${page.title}</span></a></li>`)
    const list = links.length === 0 ? nothing : html`<h2>${strings.notFoundNear}</h2><ul class="near">${links}</ul>`
    const body = html`<p class="code-number" aria-hidden="true">404</p><h1>${strings.notFoundTitle}</h1><p class="lead">${strings.notFoundText}</p>${renderSearchForm(chrome)}${list}${homeLink(chrome)}`
    return { title: strings.notFoundTitle, body }
  })
}

export function renderError(frame: SiteFrame, requestId?: string): Promise<RenderedPage> {
  return standIn(frame, ({ strings }) => ({
    title: strings.errorTitle,
    body: html`<h1>${strings.errorTitle}</h1><p class="lead">${strings.errorText}</p><p><a class="button primary" href="">${strings.tryAgain}</a></p>${requestId && html`<p class="quiet"><code>${requestId}</code></p>`}`,
  }))
}

/** A site without pages. */
export function renderEmptySite(frame: SiteFrame): Promise<RenderedPage> {
  return standIn(frame, ({ strings }) => ({
    title: strings.emptyTitle,
    body: html`<h1>${strings.emptyTitle}</h1><p class="lead">${strings.emptyText}</p>`,
  }))
}

/** The sign-in page of a site that only signed-in visitors may read. It says nothing of the site's content. */
export function renderLogin(frame: SiteFrame, login?: { href: string }): Promise<RenderedPage> {
  const { announcement: _, ...open } = frame.customization
  const shut: SiteFrame = {
    ...frame,
    customization: { ...open, header: { ...open.header, links: [] }, footer: { ...open.footer, groups: [] } },
    tree: { nodes: [], before: 0, after: 0 },
    sections: [],
    versions: [],
    languages: [],
    search: false,
  }
  return standIn(shut, ({ strings }) => ({
    title: strings.loginTitle,
    body: html`<h1>${strings.loginTitle}</h1><p class="lead">${strings.loginText}</p>${login && html`<p><a class="button primary large" href="${safeUrl(login.href)}">${strings.loginButton}</a></p>`}`,
  }))
}

/** What search answers to readers without a script. */
export function renderSearchPage(frame: SiteFrame, answer: SearchAnswer): Promise<RenderedPage> {
  return standIn(frame, (chrome) => ({
    title: chrome.strings.search,
    body: html`<h1>${chrome.strings.search}</h1>${renderSearchResults(chrome, answer)}`,
    tree: true,
  }))
}

/** One level of the tree as a page, where `~tree` links lead without a script. */
export function renderTreePage(frame: SiteFrame, level: TreeSlice, title?: string): Promise<RenderedPage> {
  return standIn(frame, ({ strings, icons }) => ({
    title: title ?? strings.allPages,
    body: html`<h1>${title ?? strings.allPages}</h1><div class="tree-page">${renderTree({ icons, strings, basePath: frame.site.basePath }, level)}</div>`,
    tree: true,
  }))
}

interface StandIn {
  title: string
  body: Html
  tree?: boolean
}

async function standIn(frame: SiteFrame, write: (chrome: Chrome) => StandIn): Promise<RenderedPage> {
  await loadIcons()
  const chrome = chromeOf(frame)
  const { title, body, tree } = write(chrome)
  const main = html`<main class="page stand-in${tree && ' listing'}" id="content" tabindex="-1">${body}</main>`
  const shown = tree === true || frame.tree.nodes.length > 0
  return writeShell(chrome, { parts: { title, noIndex: true, math: false, styles: new Map() }, main, tree: shown })
}

function homeLink({ frame, strings }: Chrome): Html {
  return html`<p class="way-on"><a class="button secondary" href="${safeUrl(frame.site.home)}" aria-label="${strings.goHome}: ${siteTitle(frame)}">${strings.goHome}</a></p>`
}
