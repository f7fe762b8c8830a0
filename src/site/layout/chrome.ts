/** What the parts of the layout share: the context they are written in, and small pieces that stand in several of them. */

import type { LinkTarget, ThemePair } from '../../core/customization/shape.ts'
import { isExternal, safeUrl } from '../../core/safe-url.ts'
import { languageTag, type Strings } from '../locales/strings.ts'
import { attr, type Html, html, nothing } from '../render/html.ts'
import { type IconSheet, icon, uiIcon } from '../render/icons.ts'
import { emojiText } from '../render/inlines.ts'
import type { SiteFrame } from './page-view.ts'

export interface Chrome {
  frame: SiteFrame
  strings: Strings
  icons: IconSheet
}

export type ChromeLink = { href: string; attributes: Html }

/** A link an owner set in the customization; nothing when it leads nowhere. */
export function ownerLink({ frame }: Chrome, to: LinkTarget | undefined): ChromeLink | undefined {
  if (to === undefined || to === null) return undefined
  const found = frame.questions.resolve(to) ?? (to.kind === 'url' ? { href: to.url } : undefined)
  return found === undefined ? undefined : plainLink(frame, found.href)
}

export function plainLink(frame: SiteFrame, address: string): ChromeLink | undefined {
  const href = safeUrl(address)
  if (href === undefined) return undefined
  const external = isExternal(href, frame.site.url)
  const blank = external && frame.customization.externalLinks.target === 'blank'
  return {
    href,
    attributes: html` href="${href}"${blank && html` target="_blank"`}${external && html` rel="noopener"`}`,
  }
}

/** A picture with a variant for dark; one that is the same in both is one image. */
export function themedImage(pair: ThemePair | undefined, alt: string, className: string): Html {
  const light = pair === undefined ? undefined : safeUrl(pair.light)
  const dark = pair === undefined ? undefined : safeUrl(pair.dark)
  const first = light ?? dark
  if (first === undefined) return nothing
  if (light === undefined || dark === undefined || light === dark)
    return html`<img class="${className}" src="${first}" alt="${alt}">`
  return html`<img class="${className} in-light" src="${light}" alt="${alt}"><img class="${className} in-dark" src="${dark}" alt="${alt}">`
}

export function lead(chrome: Chrome, of: { emoji?: string; icon?: string }): Html {
  if (of.emoji) return html`<span class="emoji" aria-hidden="true">${emojiText(of.emoji)}</span>`
  return of.icon ? icon(chrome.icons, of.icon) : nothing
}

/** A button that opens a list of links, as a fold that needs no script. */
export function dropdown(
  chrome: Chrome,
  menu: { label: Html; name?: string; className: string; items: readonly Html[] },
): Html {
  return html`<details class="menu ${menu.className}" data-menu><summary${attr('aria-label', menu.name)}>${menu.label}${uiIcon(chrome.icons, 'chevron-down')}</summary><ul class="menu-list">${menu.items.map((item) => html`<li>${item}</li>`)}</ul></details>`
}

export const interfaceTag = (frame: SiteFrame): string => languageTag(frame.customization.internationalization.locale)
export const searchUrl = (frame: SiteFrame): string => `${frame.site.basePath}/~search`
export const siteTitle = (frame: SiteFrame): string => frame.customization.title || frame.site.title
/** One section needs no row of tabs, unless it stands in a group. */
export const hasSections = ({ sections }: SiteFrame): boolean =>
  sections.length > 1 || sections.some((section) => 'sections' in section)
/** Without a head the way home and the search stand over the tree; on narrow screens, where the tree is away, it stays. */
export const isHeadless = ({ customization }: SiteFrame): boolean => customization.header.preset === 'none'
