/** What follows the text: feedback, previous and next, last updated; and the foot of the site. */

import { safeUrl } from '../../core/safe-url.ts'
import { type Html, html, isEmpty, join, nothing } from '../render/html.ts'
import { uiIcon } from '../render/icons.ts'
import { dateText } from '../render/updates.ts'
import { type Chrome, interfaceTag, lead, ownerLink, plainLink, siteTitle, themedImage } from './chrome.ts'
import type { PageLink, PageView } from './page-view.ts'
import { renderSocial } from './social.ts'

export function renderPagination(chrome: Chrome, view: PageView): Html {
  if (!view.customization.pagination.enabled || view.page.layout?.pagination === false) return nothing
  if (view.previous === undefined && view.next === undefined) return nothing
  const { strings, icons } = chrome
  const link = (of: PageLink | undefined, way: 'prev' | 'next'): Html => {
    if (of === undefined) return html`<span></span>`
    const label = way === 'prev' ? strings.previous : strings.next
    const arrow = uiIcon(icons, way === 'prev' ? 'arrow-left' : 'arrow-right')
    return html`<a class="turn ${way}" href="${safeUrl(of.href)}" rel="${way}"><span class="turn-label">${way === 'prev' && arrow}${label}${way === 'next' && arrow}</span><span class="turn-title">${lead(chrome, of)}${of.title}</span></a>`
  }
  return html`<nav class="turns" aria-label="${strings.pagination}">${link(view.previous, 'prev')}${link(view.next, 'next')}</nav>`
}

export function renderPageFoot(chrome: Chrome, view: PageView): Html {
  if (view.page.layout?.metadata === false) return nothing
  const date = view.page.updatedAt === undefined ? undefined : new Date(view.page.updatedAt)
  const known = date !== undefined && !Number.isNaN(date.getTime())
  const time = known ? html`<p class="updated">${updatedText(chrome, date)}</p>` : nothing
  const form = view.customization.feedback.enabled ? renderFeedback(chrome, view) : nothing
  if (isEmpty(time) && isEmpty(form)) return nothing
  return html`<div class="page-foot">${form}${time}</div>`
}

function updatedText({ frame, strings }: Chrome, date: Date): Html {
  // The sentence differs by language in where the date stands, so that it is cut at a mark that no text holds.
  const [before = '', after = ''] = strings.lastUpdated('\u0001').split('\u0001')
  return html`${before}<time datetime="${date.toISOString()}">${dateText(date, 'full', interfaceTag(frame))}</time>${after}`
}

/**
 * A plain form: the answer goes to the server with or without a script. Its words may run the other way than the page, and
 * keep their question marks at their end.
 */
function renderFeedback({ frame, strings, icons }: Chrome, view: PageView): Html {
  const choice = (value: string, label: string, image: string): Html =>
    html`<button class="choice" type="submit" name="rating" value="${value}">${uiIcon(icons, image)}<span>${label}</span></button>`
  return html`<form class="feedback" method="post" action="${frame.site.basePath}/~feedback" data-feedback><input type="hidden" name="page" value="${view.page.id}">${view.page.siteSpace && html`<input type="hidden" name="place" value="${view.page.siteSpace}">`}<fieldset><legend><bdi>${strings.feedbackAsk}</bdi></legend><div class="choices">${choice('good', strings.feedbackYes, 'thumbs-up')}${choice('ok', strings.feedbackOk, 'face-neutral')}${choice('bad', strings.feedbackNo, 'thumbs-down')}</div></fieldset><div class="feedback-more" hidden><label for="feedback-comment"><bdi>${strings.feedbackMore}</bdi></label><textarea id="feedback-comment" name="comment" rows="3" maxlength="512"></textarea><button class="button primary small" type="submit">${strings.feedbackSend}</button></div><p class="feedback-thanks" hidden><bdi>${strings.feedbackThanks}</bdi></p></form>`
}

export function renderFooter(chrome: Chrome): Html {
  const { frame, strings } = chrome
  const { footer, privacyPolicy } = frame.customization
  const groups = footer.groups.map((group) => {
    const links = group.links.flatMap((link) => {
      const target = ownerLink(chrome, link.to)
      return target === undefined ? [] : [html`<li><a${target.attributes}>${link.title}</a></li>`]
    })
    return html`<div class="footer-group"><h2>${group.title}</h2><ul>${links}</ul></div>`
  })
  const logo = themedImage(footer.logo, siteTitle(frame), 'footer-logo')
  const privacy = privacyPolicy.url ? plainLink(frame, privacyPolicy.url) : undefined
  const small = [
    footer.copyright ? html`<bdi>${footer.copyright}</bdi>` : nothing,
    privacy === undefined ? nothing : html`<a${privacy.attributes}>${strings.privacy}</a>`,
    renderSocial(chrome, 'footer'),
  ].filter((part) => !isEmpty(part))
  if (groups.length === 0 && isEmpty(logo) && small.length === 0) return nothing
  const top =
    groups.length === 0 && isEmpty(logo)
      ? nothing
      : html`<div class="footer-top">${!isEmpty(logo) && html`<div class="footer-brand">${logo}</div>`}${join(groups)}</div>`
  return html`<footer class="footer" aria-label="${strings.footer}"><div class="footer-inner">${top}${small.length > 0 && html`<div class="footer-small">${small}</div>`}</div></footer>`
}
