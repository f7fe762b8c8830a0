/** The `<head>`: what browsers, search engines and link previews read. No script stands in it, only addresses and data. */

import { safeUrl } from '../../core/safe-url.ts'
import { cutTo } from '../../core/text.ts'
import { rootClasses } from '../../theme/root-classes.ts'
import { attr, type Html, html, join, nothing, trusted } from '../render/html.ts'
import { type Chrome, hasSections, isHeadless, siteTitle } from './chrome.ts'
import type { PageView, SiteFrame } from './page-view.ts'

export interface HeadParts {
  title: string
  description?: string
  /** Only a real page has one. */
  view?: PageView
  noIndex: boolean
  math: boolean
  /** Declarations of the page, already checked. */
  styles: ReadonlyMap<string, string>
}

export function renderHead(chrome: Chrome, parts: HeadParts): Html {
  const { frame } = chrome
  const { assets } = frame
  const name = siteTitle(frame)
  const full = parts.title === name ? name : `${parts.title} | ${name}`
  return html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${full}</title>${parts.description && html`<meta name="description" content="${parts.description}">`}${parts.noIndex && html`<meta name="robots" content="noindex, nofollow">`}${renderThemeColor(frame)}${assets.preload.map((file) => html`<link rel="preload" href="${file}" as="font" type="font/woff2" crossorigin>`)}<link rel="stylesheet" href="${assets.style}">${parts.math && html`<link rel="stylesheet" href="${assets.math}" data-math>`}${renderPageStyle(parts.styles)}<script src="${assets.early}"></script><script src="${assets.script}" data-diagrams="${assets.diagrams}" defer></script>${renderFavicon(frame)}${frame.site.rss && html`<link rel="alternate" type="application/rss+xml" title="${name}" href="${safeUrl(frame.site.rss)}">`}${parts.view && renderPageLinks(parts.view, parts, name)}</head>`
}

/** The one inline style of a page; the policy names it by its hash. */
export function pageStyle(styles: ReadonlyMap<string, string>): string {
  return [...styles].map(([declaration, name]) => `.${name}{${declaration}}`).join('')
}

function renderPageStyle(styles: ReadonlyMap<string, string>): Html {
  return styles.size === 0 ? nothing : html`<style>${trusted(pageStyle(styles))}</style>`
}

function renderThemeColor({ assets, customization }: SiteFrame): Html {
  const { light, dark } = assets.themeColor
  const fixed = customization.themes.default
  if (fixed !== 'system') return html`<meta name="theme-color" content="${fixed === 'dark' ? dark : light}">`
  return html`<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`
}

function renderFavicon({ customization, site }: SiteFrame): Html {
  const { icon } = customization.favicon
  const light = icon === undefined ? undefined : safeUrl(icon.light)
  const dark = icon === undefined ? undefined : safeUrl(icon.dark)
  // Without one of their own, sites have the drawn letter or emoji that the server makes.
  if (light === undefined) return html`<link rel="icon" href="${site.basePath}/~icon.svg" type="image/svg+xml">`
  if (dark === undefined || dark === light) return html`<link rel="icon" href="${light}">`
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)"><link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`
}

function renderPageLinks(view: PageView, parts: HeadParts, name: string): Html {
  const { page } = view
  const canonical = safeUrl(page.canonical) ?? view.site.url
  const image = view.customization.socialPreview.url ? safeUrl(view.customization.socialPreview.url) : undefined
  const property = (key: string, value: string | undefined): Html =>
    value ? html`<meta property="${key}" content="${value}">` : nothing
  return join([
    html`<link rel="canonical" href="${canonical}">`,
    (page.alternates ?? []).map(
      (other) => html`<link rel="alternate" hreflang="${other.language}" href="${safeUrl(other.href)}">`,
    ),
    page.markdownUrl && html`<link rel="alternate" type="text/markdown" href="${safeUrl(page.markdownUrl)}">`,
    view.previous && html`<link rel="prev" href="${safeUrl(view.previous.href)}">`,
    view.next && html`<link rel="next" href="${safeUrl(view.next.href)}">`,
    property('og:type', 'article'),
    property('og:title', parts.title),
    property('og:description', parts.description),
    property('og:url', canonical),
    property('og:site_name', name),
    property('og:image', image),
    property('article:modified_time', page.updatedAt),
    html`<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">`,
    renderData(view, parts, canonical),
  ])
}

/** Structured data: a data block, which no policy runs. `<` is spelt so that no text can close the element. */
function renderData(view: PageView, parts: HeadParts, canonical: string): Html {
  const crumbs = [...view.breadcrumbs, { title: view.page.title, href: canonical }]
  const absolute = (href: string | undefined): string | undefined => {
    const safe = href === undefined ? undefined : safeUrl(href)
    return safe?.startsWith('/') && !safe.startsWith('//') ? `${originOf(view.site.url)}${safe}` : safe
  }
  const data = [
    {
      '@context': 'https://schema.org',
      '@type': 'TechArticle',
      headline: view.page.title,
      description: parts.description,
      url: canonical,
      inLanguage: view.language ?? view.customization.internationalization.locale,
      dateModified: view.page.updatedAt,
      isPartOf: { '@type': 'WebSite', name: siteTitle(view), url: view.site.url },
    },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: crumbs.map((crumb, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: crumb.title,
        item: absolute(crumb.href),
      })),
    },
  ]
  return html`<script type="application/ld+json">${trusted(jsonText(data))}</script>`
}

/** JSON that can stand in a script element whatever it says. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The page's own description, or the start of its text. */
/** `start` is how the page begins. */
export function descriptionOf(description: string | undefined, start: string): string | undefined {
  if (description?.trim()) return description.trim()
  if (start === '') return undefined
  return start.length <= 160 ? start : `${cutTo(start, 157).replace(/\s+\S*$/, '')}…`
}

function originOf(url: string): string {
  return /^https?:\/\/[^/]+/.exec(url)?.[0] ?? ''
}

export const rootAttributes = (frame: SiteFrame, tree: boolean): Html => {
  const { styling, themes } = frame.customization
  const classes = [
    ...rootClasses(styling),
    // What stands in the head can stand over the tree, where there is one.
    isHeadless(frame) && tree ? 'no-top' : '',
    hasSections(frame) ? 'has-sections' : '',
  ]
  const language = frame.language ?? frame.customization.internationalization.locale
  return html` lang="${language}"${attr('dir', frame.direction === 'rtl' ? 'rtl' : undefined)} data-theme="${themes.default}"${themes.toggeable && html` data-toggle`} class="${classes.filter((name) => name).join(' ')}"`
}
