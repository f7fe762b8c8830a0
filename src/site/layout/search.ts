/**
 * Search: the dialog that the browser script fills, the page that readers without a script get, and the shape of the
 * answers both are made of (`GET {site}/~search?q=…` with `Accept: application/json`).
 */

import { safeUrl } from '../../core/safe-url.ts'
import { type Html, html, join, nothing } from '../render/html.ts'
import { uiIcon } from '../render/icons.ts'
import { type Chrome, lead, searchUrl, siteTitle } from './chrome.ts'
import type { SearchAnswer, SearchPage, Snippet } from './search-answer.ts'

export function renderSearchDialog({ frame, strings, icons }: Chrome): Html {
  if (frame.search === false) return nothing
  const title = strings.searchSite(siteTitle(frame))
  // The script draws results with this icon, so that the sprite must hold it.
  uiIcon(icons, 'file-text')
  const key = (keys: string, label: string): Html => html`<span><kbd>${keys}</kbd>${label}</span>`
  return html`<dialog class="search" id="search" aria-label="${title}"><form class="search-head" action="${searchUrl(frame)}" role="search">${uiIcon(icons, 'search')}<input type="search" name="q" id="search-input" placeholder="${title}" aria-label="${title}" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="200" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list"><button class="icon-button" type="button" data-search-close aria-label="${strings.close}">${uiIcon(icons, 'x')}</button></form><div class="search-body" id="search-results" role="listbox" aria-label="${strings.search}"></div><p class="sr" role="status" aria-live="polite" id="search-status"></p><div class="search-foot" aria-hidden="true">${key('↑↓', strings.searchMove)}${key('↵', strings.searchOpen)}${key('esc', strings.searchClose)}</div></dialog>`
}

/** The answer as a page. */
export function renderSearchResults(chrome: Chrome, answer: SearchAnswer): Html {
  const { strings } = chrome
  const form = renderSearchForm(chrome, answer.query)
  if (answer.query.trim() === '') return form
  if (answer.pages.length === 0) {
    const near = answer.near.map((page) => html`<li><a href="${safeUrl(page.href)}">${page.title}</a></li>`)
    return html`${form}<p>${strings.searchNone(answer.query)}</p>${near.length > 0 && html`<h2>${strings.searchNear}</h2><ul>${near}</ul>`}`
  }
  const count = answer.pages.reduce((sum, page) => sum + 1 + page.sections.length, 0)
  return html`${form}<p class="result-count">${strings.searchResults(count)}</p>${answer.pages.map((page) => renderResult(chrome, page))}`
}

export function renderSearchForm({ frame, strings, icons }: Chrome, query = ''): Html {
  return html`<form class="search-field wide" action="${searchUrl(frame)}">${uiIcon(icons, 'search')}<input type="search" name="q" value="${query}" placeholder="${strings.search}…" aria-label="${strings.searchSite(siteTitle(frame))}" maxlength="200"></form>`
}

function renderResult(chrome: Chrome, page: SearchPage): Html {
  const sections = page.sections.map(
    (section) =>
      html`<li><a href="${safeUrl(section.href)}">${renderSnippet(section.title)}</a><p>${renderSnippet(section.snippet)}</p></li>`,
  )
  return html`<section class="result"><h2>${lead(chrome, page)}<a href="${safeUrl(page.href)}">${renderSnippet(page.title)}</a></h2>${page.path.length > 0 && html`<p class="result-path">${page.path.join(' › ')}</p>`}${page.snippet.length > 0 && html`<p>${renderSnippet(page.snippet)}</p>`}${sections.length > 0 && html`<ul>${sections}</ul>`}</section>`
}

/** Odd parts are the words that were found. */
function renderSnippet(snippet: Snippet): Html {
  return join(snippet.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part)))
}
