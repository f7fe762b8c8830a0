/**
 * A whole page. `renderPage` does the slow part first (highlighting, formulas), then writes everything in one pass;
 * the pages that stand in for one (not found, error, empty, sign-in, search, all pages) are in stand-in.ts.
 */
import { anchorsOf, otherAnchorsOf } from '../../core/document/text/anchors.ts'
import type { JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { safeUrl } from '../../core/safe-url.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { stringsOf } from '../locales/strings.ts'
import { renderAside } from '../render/aside.ts'
import { renderBlocks } from '../render/blocks.ts'
import { type BodyInput, callsOf, startOf } from '../render/body.ts'
import type { Prepared, Questions, RenderContext, ResolvedRef } from '../render/context.ts'
import type { RenderTools } from '../render/highlight.ts'
import { type Html, html, isEmpty, nothing, print, trusted } from '../render/html.ts'
import { loadIcons, newIconSheet, sprite } from '../render/icons.ts'
import { prepareDocument } from '../render/prepare.ts'
import { renderFooter, renderPageFoot, renderPagination } from './bottom.ts'
import { type Chrome, interfaceTag, lead } from './chrome.ts'
import { descriptionOf, type HeadParts, jsonText, pageStyle, renderHead, rootAttributes } from './head.ts'
import { pageTitle, renderCover, renderOutline, renderPageHead } from './page-head.ts'
import type { PageView, RenderedPage, SiteFrame } from './page-view.ts'
import { policyOf } from './policy.ts'
import { renderSearchDialog } from './search.ts'
import { renderSide } from './side.ts'
import { renderBanner, renderTop } from './top.ts'

export async function renderPage(view: PageView, tools: RenderTools & { threads: Threads }): Promise<RenderedPage> {
  if (view.document !== undefined && view.refs !== undefined && (view.specs !== undefined || view.isHeavy === true))
    return writeAside(view, view.document, view.refs, tools)
  const questions = rememberReusable(view.questions)
  const [prepared] = await Promise.all([prepareDocument(view.document, questions, tools), loadIcons()])
  return writePage({ ...view, questions }, prepared)
}

/** A heavy page: its text is made in a thread, and the page around it here. */
async function writeAside(
  view: PageView,
  document: JSONDocument,
  refs: ReadonlyMap<string, ResolvedRef | undefined>,
  tools: RenderTools & { threads: Threads },
): Promise<RenderedPage> {
  const { customization, site } = view
  const input: BodyInput = {
    document,
    refs,
    specs: view.specs,
    locale: customization.internationalization.locale,
    icons: customization.styling.icons,
    siteUrl: site.url,
    basePath: site.basePath,
    externalTarget: customization.externalLinks.target,
    reservedIds,
  }
  const [body] = await Promise.all([renderAside(tools, input, view.page.canonical), loadIcons()])
  const chrome = chromeOf(view)
  const context = scopeOf({ ...view, document: undefined }, chrome, {
    code: new Map(),
    math: new Map(),
    specs: new Map(),
  })
  if (body === undefined)
    return writeAround(view, chrome, { context, body: html`<p class="quiet">${chrome.strings.pageTooLong}</p>` })
  for (const [id, drawing] of body.icons) chrome.icons.used.set(id, drawing)
  for (const [declaration, name] of body.styles) context.styles.set(declaration, name)
  context.outline.push(...body.outline)
  context.notes.push(...body.notes.map(trusted))
  const { hasMath, calls, start } = body
  return writeAround(view, chrome, { context, body: trusted(body.html), hasMath, calls, start })
}

/** The synchronous half, for callers that prepare elsewhere. Icons must be loaded. */
export function writePage(view: PageView, prepared: Prepared): RenderedPage {
  const chrome = chromeOf(view)
  const context = scopeOf(view, chrome, prepared)
  const body = view.document === undefined ? nothing : renderBlocks(context, view.document.nodes)
  const start = view.document === undefined ? '' : startOf(view.document)
  return writeAround(view, chrome, { context, body, hasMath: prepared.math.size > 0, calls: callsOf(prepared), start })
}

interface Written {
  context: RenderContext
  body: Html
  hasMath?: boolean
  calls?: readonly string[]
  start?: string
}

function writeAround(view: PageView, chrome: Chrome, written: Written): RenderedPage {
  const { context, body, hasMath = false, calls = [], start = '' } = written
  const text = isEmpty(body) ? renderEmpty(chrome, view) : body
  const cover = renderCover(context, view)
  const notes = context.notes.length === 0 ? nothing : html`<div class="notes">${context.notes}</div>`
  const outline = renderOutline(chrome, view, context.outline)
  const wide = view.page.layout?.width === 'wide' ? ' wide' : ''
  // A page with few headings keeps the room of the outline, so that text does not jump from page to page.
  const bare = view.page.layout?.outline === false ? ' no-outline' : ''
  const main = html`<main class="page${wide}${bare}" id="content" tabindex="-1" data-page="${view.page.id}">${cover}${renderPageHead(chrome, view)}${outline}<article class="doc${view.page.layout?.anchors === false && ' no-anchors'}">${text}${notes}</article><div class="page-end">${renderPagination(chrome, view)}${renderPageFoot(chrome, view)}</div></main>`
  const parts: HeadParts = {
    title: pageTitle(view),
    ...optional('description', descriptionOf(view.page.description, start)),
    view,
    noIndex: view.page.noIndex === true || view.site.noIndex === true,
    math: hasMath,
    styles: context.styles,
  }
  const shell = { parts, main, tree: view.page.layout?.tableOfContents !== false, calls }
  return writeShell(chrome, shell)
}

export interface Shell {
  /** Origins beside its own that its script may call. */
  calls?: readonly string[]
  parts: HeadParts
  main: Html
  tree: boolean
}

/** The page around its main part. */
export function writeShell(chrome: Chrome, { parts, main, tree, calls = [] }: Shell): RenderedPage {
  const { frame } = chrome
  // A page that hides the tree hides it beside its text; in the drawer of narrow screens it is the way to everything.
  const side = tree || frame.tree.nodes.length > 0 ? renderSide(chrome) : nothing
  const before = html`<a class="skip" href="#content">${chrome.strings.skip}</a>${renderBanner(chrome)}${renderTop(chrome)}<div class="frame${!tree && ' no-side'}">${side}`
  const after = html`</div>${renderFooter(chrome)}${renderSearchDialog(chrome)}${renderScriptData(chrome)}`
  const head = renderHead(chrome, parts)
  const text = print(
    html`<!doctype html><html${rootAttributes(frame, tree)}>${head}<body data-base="${frame.site.basePath}">${before}${main}${after}${sprite(chrome.icons)}</body></html>`,
  )
  return { html: text, policy: policyOf(pageStyle(parts.styles), calls) }
}

export function chromeOf(frame: SiteFrame): Chrome {
  return {
    frame,
    strings: stringsOf(frame.customization.internationalization.locale),
    icons: newIconSheet(frame.customization.styling.icons),
  }
}

function scopeOf(
  view: Omit<PageView, 'document'> & { document?: JSONDocument | undefined },
  chrome: Chrome,
  prepared: Prepared,
): RenderContext {
  const anchors = view.document === undefined ? new Map<Node, string>() : anchorsOf(view.document)
  return {
    resolve: (ref) => view.questions.resolve(ref),
    holds: (expression) => view.questions.holds(expression),
    evaluate: (expression) => view.questions.evaluate(expression),
    reusable: (ref) => view.questions.reusable(ref),
    prepared,
    strings: chrome.strings,
    locale: interfaceTag(view),
    siteUrl: view.site.url,
    basePath: view.site.basePath,
    externalTarget: view.customization.externalLinks.target,
    icons: chrome.icons,
    styles: new Map(),
    notes: [],
    outline: [],
    anchors,
    otherAnchors: otherAnchorsOf(anchors),
    ids: new Map(reservedIds.map((id) => [id, 1])),
    depth: 0,
    images: 0,
    embeds: 0,
    heading: 1,
  }
}

/** Ids of the layout; a heading of that name takes another. */
const reservedIds = [
  'content',
  'side',
  'search',
  'search-input',
  'search-results',
  'search-status',
  'sprite',
  'outline-switch',
  'feedback-comment',
  'words',
]

/** A page without text shows the way on: the pages under it. */
function renderEmpty(chrome: Chrome, view: PageView): Html {
  const children = view.children ?? []
  if (children.length === 0) return html`<p class="quiet">${chrome.strings.emptyPage}</p>`
  const cards = children
    .slice(0, 100)
    .map(
      (child) =>
        html`<div class="card linked"><div class="card-body"><div class="card-part">${lead(chrome, child)}<strong>${child.title}</strong></div>${child.description && html`<div class="card-part">${child.description}</div>`}</div><a class="card-link" href="${safeUrl(child.href)}" aria-label="${child.title}"></a></div>`,
    )
  return html`<div class="cards medium">${cards}</div>`
}

/** Words that only the browser script says, with marks where it puts its own. */
function renderScriptData({ strings }: Chrome): Html {
  const words = {
    copied: strings.copied,
    expand: strings.expand('{}'),
    recent: strings.searchRecent,
    clear: strings.searchClear,
    prompt: strings.searchPrompt,
    none: strings.searchNone('{}'),
    near: strings.searchNear,
    error: strings.searchError,
    results: strings.searchResults(99).replace('99', '{}'),
    close: strings.close,
  }
  return html`<script type="application/json" id="words">${trusted(jsonText(words))}</script>`
}

/** The same reusable content must be the same value in both phases: highlighted code is found by its node. */
function rememberReusable(questions: Questions): Questions {
  const known = new Map<string, ReturnType<Questions['reusable']>>()
  return {
    resolve: (ref) => questions.resolve(ref),
    holds: (expression) => questions.holds(expression),
    evaluate: (expression) => questions.evaluate(expression),
    spec: (ref) => questions.spec?.(ref),
    reusable(ref) {
      const key = JSON.stringify(ref)
      if (!known.has(key)) known.set(key, questions.reusable(ref))
      return known.get(key)
    },
  }
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [Name in Key]?: Value } {
  const found: { [Name in Key]?: Value } = {}
  if (value !== undefined) found[key] = value
  return found
}
