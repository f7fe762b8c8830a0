/** The head of every page: announcement, logo, search, links, versions, languages, theme; and the row of sections. */

import type { HeaderLink } from '../../core/customization/shape.ts'
import { safeUrl } from '../../core/safe-url.ts'
import { attr, type Html, html, nothing } from '../render/html.ts'
import { uiIcon } from '../render/icons.ts'
import {
  type Chrome,
  dropdown,
  hasSections,
  isHeadless,
  lead,
  ownerLink,
  searchUrl,
  siteTitle,
  themedImage,
} from './chrome.ts'
import type { SectionEntry, SectionLink, VariantEntry } from './page-view.ts'
import { renderSocial } from './social.ts'

export function renderBanner(chrome: Chrome): Html {
  const { announcement } = chrome.frame.customization
  if (announcement === undefined || !announcement.enabled || announcement.message.trim() === '') return nothing
  const link = announcement.link === undefined ? undefined : ownerLink(chrome, announcement.link.to)
  const more =
    link === undefined
      ? nothing
      : html` <a${link.attributes}>${announcement.link?.title}${uiIcon(chrome.icons, 'arrow-right')}</a>`
  return html`<aside class="banner ${announcement.style}" aria-label="${chrome.strings.announcement}" data-banner><p><bdi>${announcement.message}</bdi>${more}</p><button class="icon-button scripted" type="button" data-dismiss aria-label="${chrome.strings.close}">${uiIcon(chrome.icons, 'x')}</button></aside>`
}

export function renderTop(chrome: Chrome): Html {
  const { frame, strings, icons } = chrome
  return html`<header class="top"><div class="top-row">${frame.tree.nodes.length > 0 && html`<a class="icon-button menu-button" href="#side" data-drawer aria-label="${strings.menu}">${uiIcon(icons, 'menu')}</a>`}${renderBrand(chrome)}${renderVariants(chrome)}${renderSearchField(chrome)}<div class="top-end">${renderHeaderLinks(chrome)}${renderSocial(chrome, 'header')}${frame.search !== false && html`<a class="icon-button search-button" href="${searchUrl(frame)}" data-search="" aria-label="${strings.search}">${uiIcon(icons, 'search')}</a>`}${renderThemeToggle(chrome)}</div></div>${renderSections(chrome)}</header>`
}

/** What stands over the tree of a site that has no head. */
export function renderSideTop(chrome: Chrome): Html {
  if (!isHeadless(chrome.frame)) return nothing
  return html`<div class="side-top"><div>${renderBrand(chrome)}${renderThemeToggle(chrome)}</div>${renderSearchField(chrome)}</div>`
}

function renderBrand(chrome: Chrome): Html {
  const { customization, site } = chrome.frame
  const title = siteTitle(chrome.frame)
  const logo = themedImage(customization.header.logo, title, 'logo')
  const name =
    customization.header.logo === undefined
      ? html`<span class="site-mark" aria-hidden="true">${monogramOf(chrome)}</span><span class="site-name">${title}</span>`
      : logo
  return html`<a class="brand" href="${safeUrl(site.home) ?? '/'}">${name}</a>`
}

/** The favicon's emoji, or the first letter of the title. */
function monogramOf({ frame }: Chrome): string {
  return frame.customization.favicon.emoji ?? Array.from(siteTitle(frame).trim())[0]?.toUpperCase() ?? ''
}

function renderSearchField({ frame, strings, icons }: Chrome): Html {
  if (frame.search === false) return nothing
  return html`<form class="search-field" role="search" action="${searchUrl(frame)}">${uiIcon(icons, 'search')}<input type="search" name="q" placeholder="${strings.search}…" aria-label="${strings.searchSite(siteTitle(frame))}" autocomplete="off" data-search-field><kbd class="shortcut scripted" aria-hidden="true"></kbd></form>`
}

/** Shown in the header, and on narrow screens in the drawer. */
export function renderVariants(chrome: Chrome): Html {
  return html`${renderVariant(chrome, chrome.frame.versions, 'version', chrome.strings.variants)}${renderVariant(chrome, chrome.frame.languages, 'language', chrome.strings.languages)}`
}

function renderVariant(chrome: Chrome, variants: readonly VariantEntry[], kind: string, name: string): Html {
  const current = variants.find((variant) => variant.current) ?? variants[0]
  if (variants.length < 2 || current === undefined) return nothing
  const items = variants.map(
    (variant) =>
      html`<a href="${safeUrl(variant.href)}"${attr('hreflang', variant.language)}${attr('lang', variant.language)}${variant.current && html` aria-current="true"`}>${variant.title}${variant.current && uiIcon(chrome.icons, 'check')}</a>`,
  )
  const label = html`${kind === 'language' && uiIcon(chrome.icons, 'languages')}<span>${current.title}</span>`
  return dropdown(chrome, { label, name: `${name}: ${current.title}`, className: kind, items })
}

/** Shown in the header on wide screens and in the drawer on narrow ones. */
export function renderHeaderLinks(chrome: Chrome): Html {
  const shown = chrome.frame.customization.header.links.filter(
    (link) => link.condition === undefined || chrome.frame.questions.holds(link.condition),
  )
  if (shown.length === 0) return nothing
  return html`<ul class="header-links">${shown.map((link) => html`<li>${renderHeaderLink(chrome, link)}</li>`)}</ul>`
}

function renderHeaderLink(chrome: Chrome, link: HeaderLink): Html {
  const inner = (link.links ?? []).flatMap((below) => {
    const target = ownerLink(chrome, below.to)
    return target === undefined ? [] : [html`<a${target.attributes}>${below.title}</a>`]
  })
  if (inner.length > 0)
    return dropdown(chrome, { label: html`<span>${link.title}</span>`, className: 'links', items: inner })
  const target = ownerLink(chrome, link.to)
  if (target === undefined) return nothing
  const style =
    link.style === 'button-primary'
      ? 'button primary small'
      : link.style === 'button-secondary'
        ? 'button secondary small'
        : 'header-link'
  return html`<a class="${style}"${target.attributes}>${link.title}</a>`
}

function renderThemeToggle({ frame, strings, icons }: Chrome): Html {
  if (!frame.customization.themes.toggeable) return nothing
  return html`<button class="icon-button theme-toggle scripted" type="button" data-theme-toggle aria-label="${strings.theme}">${uiIcon(icons, 'sun')}${uiIcon(icons, 'moon')}</button>`
}

function renderSections(chrome: Chrome): Html {
  const { sections } = chrome.frame
  if (!hasSections(chrome.frame)) return nothing
  return html`<nav class="sections" aria-label="${chrome.strings.sections}"><ul>${sections.map((section) => html`<li>${renderSection(chrome, section)}</li>`)}</ul></nav>`
}

function renderSection(chrome: Chrome, section: SectionEntry): Html {
  if (!('sections' in section)) return sectionLink(chrome, section, 'section')
  const current = section.sections.some((inner) => inner.current)
  const items = section.sections.map((inner) => sectionLink(chrome, inner, 'section-choice'))
  return dropdown(chrome, {
    label: html`${lead(chrome, section)}<span>${section.title}</span>`,
    className: `section-group${current ? ' current' : ''}`,
    items,
  })
}

function sectionLink(chrome: Chrome, section: SectionLink, className: string): Html {
  const detail =
    className === 'section-choice' && section.description
      ? html`<span class="detail">${section.description}</span>`
      : nothing
  return html`<a class="${className}" href="${safeUrl(section.href)}"${section.current && html` aria-current="true"`}>${lead(chrome, section)}<span>${section.title}${detail}</span></a>`
}
