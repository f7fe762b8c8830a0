/** The card of a web page, read from the head of its HTML: title, name of the site, icon. */

import { decodeHtml } from '../../core/document/syntax/html-scan.ts'
import { cutTo } from '../../core/text.ts'

export interface PageCard {
  type: 'link'
  title: string
  site: string
  icon?: string
}

const longest = 200

/** What is missing is told by the address. */
export function readPageCard(html: string, url: string): PageCard {
  const { hostname } = new URL(url)
  const metas = attributesOf(html, 'meta')
  const meta = (name: string) =>
    metas.find((one) => one.get('property') === name || one.get('name') === name)?.get('content')
  const title = meta('og:title') ?? /<title[^>]{0,200}>([^<]{1,1000})/i.exec(html)?.[1]
  const icon = attributesOf(html, 'link')
    .find((one) => /(?:^|\s)icon(?:\s|$)/i.test(one.get('rel') ?? ''))
    ?.get('href')
  const address = icon !== undefined && URL.canParse(icon, url) ? new URL(icon, url) : undefined
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return {
    type: 'link',
    title: clean(title) || hostname,
    site: clean(meta('og:site_name')) || hostname,
    ...(isWeb && address.href.length <= 2048 ? { icon: address.href } : {}),
  }
}

const clean = (text: string | undefined): string =>
  cutTo(
    decodeHtml(text ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
    longest,
  )

/** The attributes of the elements of this name, at most a hundred of them. */
function attributesOf(html: string, name: string): Map<string, string>[] {
  const found: Map<string, string>[] = []
  for (const [, inner = ''] of html.matchAll(new RegExp(`<${name}\\s([^>]{1,2000})>`, 'gi'))) {
    if (found.length === 100) break
    const attributes = new Map<string, string>()
    for (const [, key = '', double, single, bare] of inner.matchAll(
      /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
    ))
      attributes.set(key.toLowerCase(), decodeHtml(double ?? single ?? bare ?? ''))
    found.push(attributes)
  }
  return found
}
