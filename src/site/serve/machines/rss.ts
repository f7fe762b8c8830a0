/** `rss.xml`: the pages that changed last. */
import { profileOf } from '../profile.ts'
import type { Answered, Asked, Visiting } from '../visiting.ts'
import { allListedPages, type Listed } from './pages.ts'
import { textAnswer, xmlText } from './text-answer.ts'

const mostItems = 50

export async function answerRss(visiting: Visiting, _asked: Asked): Promise<Answered> {
  const { site } = visiting
  const profile = await profileOf(visiting)
  const changed = (await allListedPages(visiting, profile))
    .filter(({ page }) => page.updatedAt !== undefined)
    .sort((a, b) => (b.page.updatedAt ?? '').localeCompare(a.page.updatedAt ?? ''))
    .slice(0, mostItems)
  const [newest] = changed
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    `<title>${xmlText(profile.title)}</title>`,
    `<link>${xmlText(site.root)}</link>`,
    `<description>${xmlText(`What changed in ${profile.title}`)}</description>`,
    `<atom:link href="${xmlText(`${site.root}/rss.xml`)}" rel="self" type="application/rss+xml"/>`,
    ...(newest?.page.updatedAt === undefined
      ? []
      : [`<lastBuildDate>${dateOf(newest.page.updatedAt)}</lastBuildDate>`]),
    ...changed.map(itemOf),
    '</channel>',
    '</rss>',
  ]
  return textAnswer(site, 'application/rss+xml', `${parts.join('\n')}\n`)
}

function itemOf({ page, url }: Listed): string {
  const { updatedAt = '' } = page
  return [
    '<item>',
    `<title>${xmlText(page.title)}</title>`,
    `<link>${xmlText(url)}</link>`,
    // Another for each change, so that readers are told of a page again when it changed again.
    `<guid isPermaLink="false">${xmlText(`${page.id} ${updatedAt}`)}</guid>`,
    `<pubDate>${dateOf(updatedAt)}</pubDate>`,
    ...(page.description === undefined ? [] : [`<description>${xmlText(page.description)}</description>`]),
    '</item>',
  ].join('')
}

const dateOf = (time: string): string => new Date(time).toUTCString()
