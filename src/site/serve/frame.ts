/** What stands around every page of a site: tabs, switchers, tree, looks. */

import type { Customization } from '../../core/customization/shape.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { allHold } from '../../core/expressions/conditions.ts'
import { sectionsIn, spacesIn, topLevel } from '../../core/site-structure.ts'
import type { SectionEntry, SectionLink, SiteFrame, VariantEntry } from '../layout/page-view.ts'
import { sliceTree, type TreeSlice, treeBudget } from '../layout/tree.ts'
import { hrefBelow } from './addresses.ts'
import type { SiteAssets } from './assets.ts'
import { type Entry, type Navigation, navigationOf } from './navigation.ts'
import type { Profile, Section, ServedSpace } from './profile.ts'
import { type Resolve, resolveRefs, resolverOf } from './refs.ts'
import type { Visiting } from './visiting.ts'

export interface FrameParts {
  visiting: Visiting
  profile: Profile
  assets: SiteAssets
  /** Where on the site; nowhere on a page that stands in for one. */
  siteSpace: ServedSpace | undefined
  navigation: Navigation | undefined
  entry: Entry | undefined
}

/** More variants than this are linked by their first page, not by the page that stands for this one. */
const mostMatched = 30

export async function frameOf(parts: FrameParts): Promise<SiteFrame> {
  const { visiting, profile, assets, siteSpace, navigation } = parts
  const { site, scope } = visiting
  const customization = profile.customizationOf(siteSpace)
  const resolve: Resolve = resolverOf(
    await resolveRefs({ visiting, profile, siteSpace: undefined }, linksOf(customization)),
  )
  const { versions, languages } = await variantsOf(parts)
  const language = siteSpace?.about.space.language
  return {
    site: {
      id: site.id,
      title: profile.title,
      url: site.root,
      basePath: site.basePath,
      home: hrefBelow(site.basePath, ''),
      noIndex: site.noIndex,
      rss: hrefBelow(site.basePath, 'rss.xml'),
    },
    customization: customization,
    assets: assets.assetsOf(customization, site.basePath),
    sections: sectionsOf(parts),
    versions,
    languages,
    tree: navigation ? await treeOf(parts, navigation) : noTree,
    treeKey: siteSpace === undefined ? '' : siteSpace.id,
    questions: { resolve, holds: (expression) => allHold([expression], scope) },
    ...(language === undefined ? {} : { language }),
    ...(isRightToLeft(language ?? customization.internationalization.locale) ? { direction: 'rtl' as const } : {}),
  }
}

const noTree: TreeSlice = { nodes: [], before: 0, after: 0 }

/** The root of a place is fetched under the place's own id; see tree.ts. */
async function treeOf({ visiting, entry, siteSpace }: FrameParts, navigation: Navigation): Promise<TreeSlice> {
  const { roots, opened } = await navigation.tree(visiting, entry)
  const slice = sliceTree(roots, entry?.item, treeBudget, opened)
  return siteSpace === undefined ? slice : { ...slice, parent: siteSpace.id }
}

function sectionsOf({ visiting, profile, siteSpace }: FrameParts): SectionEntry[] {
  const { structure } = profile
  const link = ({ id, about, isDefault, path }: Section): SectionLink => ({
    title: about.title,
    href: hrefBelow(visiting.site.basePath, isDefault ? '' : path),
    ...(about.icon === undefined ? {} : { icon: about.icon }),
    ...(about.description === undefined ? {} : { description: about.description }),
    current: siteSpace?.sectionId === id,
  })
  return topLevel(structure).map((item) =>
    'groupId' in item
      ? link(item)
      : {
          title: item.title,
          ...(item.icon === undefined ? {} : { icon: item.icon }),
          sections: sectionsIn(structure, item.id).map(link),
        },
  )
}

/**
 * The spaces beside this one are its variants: those in another language are its translations, the others its versions.
 * Each is linked by the page at the same path, if it has one.
 */
async function variantsOf(parts: FrameParts): Promise<{ versions: VariantEntry[]; languages: VariantEntry[] }> {
  const { profile, siteSpace } = parts
  if (siteSpace === undefined) return { versions: [], languages: [] }
  const beside = spacesIn(profile.structure, siteSpace.sectionId)
  if (beside.length < 2) return { versions: [], languages: [] }
  const language = siteSpace.about.space.language
  const isVersion = (other: ServedSpace): boolean => other.about.space.language === language
  const versions = beside.filter(isVersion)
  // Of several versions in one other language, the first stands for the language.
  const seen = new Set<string>()
  const languages = beside.filter((other) => {
    const tag = other.about.space.language ?? ''
    if (other.id !== siteSpace.id && (isVersion(other) || seen.has(tag))) return false
    seen.add(tag)
    return true
  })
  const entriesFor = (
    variants: readonly ServedSpace[],
    titleOf: (other: ServedSpace) => string,
  ): Promise<VariantEntry[]> =>
    Promise.all(
      variants.length < 2
        ? []
        : variants.map(async (other, index) => ({
            title: titleOf(other),
            ...(await variantEntry(parts, other, index < mostMatched)),
          })),
    )
  return {
    versions: await entriesFor(versions, (other) => other.about.title),
    languages: await entriesFor(languages, languageTitle),
  }
}

/** By the name of the language; a space without one by its own. */
const languageTitle = ({ about }: ServedSpace): string =>
  (about.space.language === undefined ? undefined : languageName(about.space.language)) ?? about.title

async function variantEntry(
  parts: FrameParts,
  other: ServedSpace,
  isMatched: boolean,
): Promise<Omit<VariantEntry, 'title'>> {
  const { visiting, profile, siteSpace, entry } = parts
  const address = profile.addressOf(other)
  const language = other.about.space.language
  const twin = isMatched && entry ? await twinOf(parts, other, entry) : undefined
  return {
    href: twin ?? hrefBelow(visiting.site.basePath, address),
    isTwin: twin !== undefined,
    ...(language === undefined ? {} : { language }),
    current: other.id === siteSpace?.id,
  }
}

/** The page at the same path in another place. The page that opens one place stands for the one that opens the other. */
async function twinOf({ visiting, profile, navigation }: FrameParts, other: ServedSpace, entry: Entry) {
  if ((await navigation?.first(visiting)) === entry) return hrefBelow(visiting.site.basePath, profile.addressOf(other))
  const there = await navigationOf(visiting, profile, other).knownAt(visiting, entry.path)
  return there && there.page.type !== 'group' ? there.href : undefined
}

/** The name of a language in that language, as its readers look for it. */
function languageName(tag: string): string | undefined {
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag)
    return name === undefined || name === tag ? undefined : name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch {
    return undefined
  }
}

const isRightToLeft = (language: string): boolean => /^(ar|he|fa|ur|ps|sd|ug|yi|dv|ckb)\b/i.test(language)

/** The references in what the owner of the site set. */
function linksOf(customization: Customization): ContentRef[] {
  const found = [
    ...customization.header.links.flatMap((link) => [link.to, ...(link.links ?? []).map((inner) => inner.to)]),
    ...customization.footer.groups.flatMap((group) => group.links.map((link) => link.to)),
    customization.announcement?.link?.to,
  ]
  return found.filter((ref): ref is ContentRef => ref !== null && ref !== undefined)
}
