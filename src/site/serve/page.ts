/** The page at a path: found, read as this visitor, and rendered with what stands around it. */
import { setImmediate as breath } from 'node:timers/promises'
import { CallFailed } from '../../client/client.ts'
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { collectRefs } from '../../core/document/tree/refs.ts'
import { specBlocksIn } from '../../core/openapi/write-out.ts'
import { editUrlOf } from '../../core/repository/hosts.ts'
import { legiblePath } from '../../core/url-paths.ts'
import { renderPage } from '../layout/page.ts'
import type { Crumb, PageInfo, PageLink, PageView } from '../layout/page-view.ts'
import { renderEmptySite } from '../layout/stand-in.ts'
import { isHeavy } from '../render/aside.ts'
import { refKey } from '../render/body.ts'
import { absolute, hrefBelow } from './addresses.ts'
import type { SiteAssets } from './assets.ts'
import { type FrameParts, frameOf } from './frame.ts'
import { htmlAnswer } from './html-answer.ts'
import { above, type Entry, isRead, type Navigation, navigationOf, type Page } from './navigation.ts'
import { notFound } from './not-found.ts'
import { type Profile, profileOf, type ServedSpace } from './profile.ts'
import { resolveRefs, resolverOf } from './refs.ts'
import { readSpecs } from './specs.ts'
import { type Answered, type Asked, redirectAway, redirectTo, type Visiting } from './visiting.ts'

export async function answerPage(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const profile = await profileOf(visiting)
  const path = asked.path.join('/')
  const located = asked.path.some((segment) => segment === '' || segment.includes('/'))
    ? undefined
    : profile.locate(path)
  if (!located) return path === '' ? emptySite(visiting, profile, assets) : notFound(visiting, asked, assets)
  const { space: siteSpace, rests } = located
  const navigation = navigationOf(visiting, profile, siteSpace)
  const parts = { visiting, profile, assets, siteSpace, navigation }
  const met = await navigation.met(visiting, rests)
  if (!met && rests.includes('')) return emptySite(visiting, profile, assets, siteSpace)
  if (!met)
    return (
      (await redirectMissing(visiting, asked, { profile, siteSpace, navigation, rests })) ??
      notFound(visiting, asked, assets)
    )
  const { entry, rest } = met
  // A path that the page once had leads to the one it has, so that there is one address for one page.
  const isNamed = rest === '' || entry.path === rest
  if (isRead(entry.page) && !isNamed) return redirectTo(entry.href)
  if (isRead(entry.page))
    return (await pageAnswer({ ...parts, entry }).catch(gone)) ?? notFound(visiting, asked, assets)
  const inside = await navigation.firstRead(visiting, [{ ...entry, item: entry.item }])
  return inside ? redirectTo(inside.href) : notFound(visiting, asked, assets)
}

/** A page may be taken away, or hidden from this visitor, between finding it and reading it. */
function gone(error: unknown): undefined {
  if (error instanceof CallFailed && error.status === 404) return undefined
  throw error
}

interface Missed {
  profile: Profile
  siteSpace: ServedSpace
  navigation: Navigation
  rests: readonly string[]
}

/** A path without a page: one in other letters, or a redirect of the site. */
async function redirectMissing(visiting: Visiting, asked: Asked, missed: Missed): Promise<Answered | undefined> {
  const { profile, siteSpace, navigation, rests } = missed
  for (const rest of rests) {
    const lower = rest.toLowerCase()
    const folded = lower === rest ? undefined : await navigation.knownAt(visiting, lower)
    if (folded) return redirectTo(hrefBelow(visiting.site.basePath, profile.pageAddressesOf(siteSpace)(lower)), 308)
  }
  return siteRedirect(visiting, asked)
}

async function siteRedirect({ client, site }: Visiting, asked: Asked): Promise<Answered | undefined> {
  const source = legiblePath(asked.path)
  if (source.length > 512 || source.length < 2) return undefined
  const params = { organizationId: site.organizationId, siteId: site.id, query: { source } }
  const met = await client.getSiteRedirectBySource(params).catch((error: unknown) => {
    if (error instanceof CallFailed && (error.status === 404 || error.status === 400)) return undefined
    throw error
  })
  return met && redirectAway(met.target, met.redirect.permanent ? 308 : 307)
}

async function emptySite(
  visiting: Visiting,
  profile: Profile,
  assets: SiteAssets,
  siteSpace?: ServedSpace,
): Promise<Answered> {
  const frame = await frameOf({ visiting, profile, assets, siteSpace, navigation: undefined, entry: undefined })
  return htmlAnswer(visiting, await renderEmptySite(frame), { status: 200 })
}

async function pageAnswer(
  parts: FrameParts & { siteSpace: ServedSpace; navigation: Navigation; entry: Entry },
): Promise<Answered> {
  const { visiting, siteSpace, entry } = parts
  const view = await viewOf(parts)
  if (view.isHeavy) await breath()
  const rendered = await renderPage(view, visiting)
  const page = htmlAnswer(visiting, rendered, { status: 200, noIndex: isExcluded(entry.page) })
  return {
    ...page,
    // The same address has the page as Markdown, for who asks for that.
    headers: { ...page.headers, vary: 'accept' },
    lasts: 'page',
    viewed: { siteSpace: siteSpace.id, page: entry.page.id },
  }
}

const isExcluded = (page: Page): boolean => page.noIndex === true || page.noRobotsIndex === true

async function viewOf(
  parts: FrameParts & { siteSpace: ServedSpace; navigation: Navigation; entry: Entry },
): Promise<PageView> {
  const { visiting, profile, siteSpace, navigation, entry } = parts
  const { pageActions, openapi } = profile.customizationOf(siteSpace)
  const hasEditLink = pageActions.items.includes('git')
  const [frame, read] = await Promise.all([frameOf(parts), readPage(visiting, siteSpace, entry, hasEditLink)])
  const { document } = read
  const isLong = document !== undefined && isHeavy(document)
  if (isLong) await breath()
  const refs = [...refsOf(document), ...coverRefs(read)]
  const resolved = await resolveRefs({ visiting, profile, siteSpace, document }, refs)
  const resolve = resolverOf(resolved)
  const specs =
    document && specBlocksIn(document).length > 0 ? await readSpecs(visiting, siteSpace, entry, openapi) : undefined
  const previous = await navigation.previous(visiting, entry)
  const next = await navigation.next(visiting, entry)
  const below = document === undefined && entry.page.hasPages ? await navigation.level(visiting, entry) : []
  return {
    ...frame,
    page: infoOf(parts, frame.languages, read),
    ...(document === undefined ? {} : { document, refs: resolved, specs, isHeavy: isLong }),
    breadcrumbs: crumbsOf(parts),
    ...(previous === undefined ? {} : { previous: linkOf(previous) }),
    ...(next === undefined ? {} : { next: linkOf(next) }),
    children: below.flatMap((child) =>
      child.item?.href === undefined ? [] : [{ ...linkOf(child), href: child.item.href }],
    ),
    questions: {
      resolve: (ref) => resolve(ref) ?? frame.questions.resolve(ref),
      holds: frame.questions.holds,
      // The document came worked out for this visitor: conditions, expressions and reusable contents are resolved.
      evaluate: () => undefined,
      reusable: () => undefined,
      spec: (ref) => specs?.get(refKey(ref)),
    },
  }
}

const readPage = ({ client }: Visiting, siteSpace: ServedSpace, { page }: Entry, metadata: boolean): Promise<Page> =>
  client.getPageById({
    spaceId: siteSpace.about.space.id,
    pageId: page.id,
    query: { format: 'document', evaluated: true, dereferenced: true, metadata, pages: false },
  })

const refsOf = (document: JSONDocument | undefined): ContentRef[] =>
  document === undefined ? [] : collectRefs(document).map(({ ref }) => ref)

const coverRefs = ({ cover }: Page): ContentRef[] => [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)

function infoOf(
  { visiting, profile, siteSpace, entry }: FrameParts & { siteSpace: ServedSpace; entry: Entry },
  languages: PageView['languages'],
  read: Page,
): PageInfo {
  const { page } = entry
  const { site } = visiting
  const full = (href: string): string => absolute(site.root, site.basePath, href)
  return {
    id: page.id,
    siteSpace: siteSpace.id,
    title: page.title,
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(read.description === undefined ? {} : { description: read.description }),
    ...(read.tags === undefined ? {} : { tags: read.tags }),
    ...(read.layout === undefined ? {} : { layout: read.layout }),
    ...coverOf(read),
    ...(read.updatedAt === undefined ? {} : { updatedAt: read.updatedAt }),
    ...(isExcluded(read) ? { noIndex: true } : {}),
    markdownUrl: `${hrefBelow(site.basePath, profile.pageAddressesOf(siteSpace)(entry.path))}.md`,
    ...editOf(siteSpace, read),
    pdfUrl: hrefBelow(site.basePath, `~pdf/${siteSpace.about.space.id}/${page.id}`),
    canonical: full(profile.addressOf(siteSpace) === '' && entry.href === '/' ? '/' : entry.href),
    ...alternatesOf(languages, full),
  }
}

/** Where its file is edited, of a page that came from a repository which people can see. */
function editOf({ about }: ServedSpace, { git }: Page): Pick<PageInfo, 'edit'> {
  const { url, installationProvider: provider } = about.space.gitSync ?? {}
  if (url === undefined || git === undefined) return {}
  return {
    edit: { url: editUrlOf({ treeUrl: url, provider }, git.path), ...(provider ? { host: hostNames[provider] } : {}) },
  }
}

const hostNames = { github: 'GitHub', 'github-legacy': 'GitHub', gitlab: 'GitLab' } as const

/** Only the page itself in other languages: where there is no translation, none is told of. */
function alternatesOf(languages: PageView['languages'], full: (href: string) => string): Pick<PageInfo, 'alternates'> {
  const translations = languages.filter(({ isTwin }) => isTwin)
  if (translations.length < 2) return {}
  return {
    alternates: translations.map(({ language, href }) => ({ language: language ?? 'x-default', href: full(href) })),
  }
}

function coverOf({ cover }: Page): Pick<PageInfo, 'cover'> {
  const { ref, refDark, yPos, height } = cover ?? {}
  if (ref === undefined || yPos === undefined) return {}
  return {
    cover: { ref, yPos, ...(refDark ? { refDark } : {}), ...(height === undefined ? {} : { height }) },
  }
}

function crumbsOf({
  visiting,
  profile,
  siteSpace,
  entry,
}: FrameParts & { siteSpace: ServedSpace; entry: Entry }): Crumb[] {
  const { sections } = profile.structure
  const section = sections.length > 1 ? sections.find((one) => one.id === siteSpace.sectionId) : undefined
  const top: Crumb[] = section
    ? [
        {
          title: section.about.title,
          href: hrefBelow(visiting.site.basePath, section.isDefault ? '' : section.path),
        },
      ]
    : []
  const line = above(entry).map((one): Crumb => {
    const href = one.item?.href
    return { title: one.page.title, ...(href === undefined ? {} : { href }) }
  })
  return [...top, ...line]
}

const linkOf = ({ page, href }: Entry): PageLink => ({
  title: page.linkTitle ?? page.title,
  href,
  ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
  ...(page.icon === undefined ? {} : { icon: page.icon }),
  ...(page.description === undefined ? {} : { description: page.description }),
})
