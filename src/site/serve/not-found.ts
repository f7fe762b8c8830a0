/** A path that leads nowhere: said in the site's own look, with the pages whose words come near. */

import type { PageLink } from '../layout/page-view.ts'
import { renderNotFound } from '../layout/stand-in.ts'
import type { SiteAssets } from './assets.ts'
import { frameOf } from './frame.ts'
import { htmlAnswer } from './html-answer.ts'
import { navigationOf } from './navigation.ts'
import { profileOf } from './profile.ts'
import { searchPages } from './search.ts'
import type { Answered, Asked, Visiting } from './visiting.ts'

export async function notFound(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const profile = await profileOf(visiting)
  const siteSpace = profile.locate(asked.path.join('/'))?.space ?? profile.locate('')?.space
  const navigation = siteSpace && navigationOf(visiting, profile, siteSpace)
  const frame = await frameOf({ visiting, profile, assets, siteSpace, navigation, entry: undefined })
  return htmlAnswer(visiting, await renderNotFound(frame, await nearTo(visiting, asked.path)), { status: 404 })
}

/** What the last words of the path are about. */
async function nearTo(visiting: Visiting, path: readonly string[]): Promise<PageLink[]> {
  const words = (path.at(-1) ?? '')
    .replace(/\.\w{1,5}$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .slice(0, 6)
  for (const query of [words.join(' '), ...[...words].sort((a, b) => b.length - a.length).slice(0, 2)]) {
    if (query === '') continue
    const pages = await searchPages(visiting, query, 5)
    if (pages.length > 0) return pages.map(({ title, href }) => ({ title: title.join(''), href }))
  }
  return []
}
