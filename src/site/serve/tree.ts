/**
 * `~tree/{id}`: one level of the page tree, for a branch that a page left out. The id is that of a page, with the place
 * before it where the site has several; or that of a place, for the pages at its root.
 */
import { renderTreePage } from '../layout/stand-in.ts'
import { treeLevel } from '../layout/tree.ts'
import { renderTreeFragment } from '../layout/tree-html.ts'
import { stringsOf } from '../locales/strings.ts'
import { loadIcons } from '../render/icons.ts'
import type { SiteAssets } from './assets.ts'
import { frameOf } from './frame.ts'
import { htmlAnswer } from './html-answer.ts'
import { navigationOf } from './navigation.ts'
import { notFound } from './not-found.ts'
import { profileOf } from './profile.ts'
import type { Answered, Asked, Visiting } from './visiting.ts'

export async function answerTree(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const profile = await profileOf(visiting)
  const [, id = ''] = asked.path
  const [first = '', second] = id.split('.')
  const { spaces } = profile.structure
  const named = spaces.find((one) => one.id === first)
  const siteSpace = named ?? profile.locate('')?.space
  const pageId = named ? second : id === '' ? undefined : id
  const navigation = siteSpace && navigationOf(visiting, profile, siteSpace)
  const entry = pageId === undefined ? undefined : await navigation?.entry(visiting, pageId)
  if (!siteSpace || !navigation || asked.path.length > 2 || (pageId !== undefined && entry?.item === undefined))
    return notFound(visiting, asked, assets)
  await navigation.level(visiting, entry)
  const { roots } = await navigation.tree(visiting, entry)
  const level = treeLevel(entry?.item?.children ?? roots, entry?.item)
  if (/\bfragment\b/.test(asked.accept)) {
    await loadIcons()
    const customization = profile.customizationOf(siteSpace)
    const context = {
      strings: stringsOf(customization.internationalization.locale),
      basePath: visiting.site.basePath,
      iconStyle: customization.styling.icons,
    }
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
      },
      body: renderTreeFragment(level, context),
      lasts: 'page',
    }
  }
  const frame = await frameOf({ visiting, profile, assets, siteSpace, navigation, entry: undefined })
  return htmlAnswer(visiting, await renderTreePage(frame, level, entry?.page.title), { status: 200 })
}
