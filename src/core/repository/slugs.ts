/**
 * Slugs of imported pages: the names of their files, so that addresses stay what they were where the repository was
 * shown before. An export says a page's slug only where its file's name does not.
 */
import { slugify } from '../text.ts'
import { folderOf, isFolderPage, nameOf } from './paths.ts'

export const isSlug = (text: string): boolean => /^[\p{L}\p{N}_~][\p{L}\p{N}\p{M}._~-]{0,99}$/u.test(text)

/** The slug that a file's name asks for. `above` is the folder in which pages beside it lie. */
export function slugOfPath(path: string, above: string): string {
  const stem = nameOf(path)
    .replace(/^_index\.md$/i, 'index')
    .replace(/\.md$/i, '')
  const folder = folderOf(path)
  const name = isFolderPage(path) ? (folder === '' || folder === above ? stem.toLowerCase() : nameOf(folder)) : stem
  return slugOfName(name)
}

export const slugOfName = (name: string): string => (isSlug(name) ? name : slugify(name) || 'page')

export interface SlugWish {
  /** Said in so many words; comes before what is only derived. */
  explicit?: string | undefined
  derived: string
}

/** Slugs for siblings, in order; those in `taken` belong to others. */
export function assignSlugs(wishes: readonly SlugWish[], taken: ReadonlySet<string> = new Set()): string[] {
  const used = new Set(taken)
  const slugs: (string | undefined)[] = wishes.map(({ explicit }) => {
    if (explicit === undefined || used.has(explicit)) return undefined
    used.add(explicit)
    return explicit
  })
  // The next number to try for a name: thousands of equal names are told apart without counting from one each time.
  const next = new Map<string, number>()
  return slugs.map((slug, at) => {
    if (slug !== undefined) return slug
    const wanted = wishes[at]?.derived ?? 'page'
    let free = wanted
    for (let n = next.get(wanted) ?? 1; used.has(free); n++) {
      free = `${wanted}-${n}`
      next.set(wanted, n + 1)
    }
    used.add(free)
    return free
  })
}

/** Which of these siblings must say their slug, for an import to give all of them the slugs they have. */
export function slugsToSay(siblings: readonly { slug: string; derived: string }[]): boolean[] {
  const isExplicit = siblings.map(() => false)
  for (;;) {
    const made = assignSlugs(
      siblings.map(({ slug, derived }, at) => ({ explicit: isExplicit[at] ? slug : undefined, derived })),
    )
    const wrong = siblings.flatMap(({ slug }, at) => (made[at] !== slug && !isExplicit[at] ? [at] : []))
    if (wrong.length === 0) return isExplicit
    for (const at of wrong) isExplicit[at] = true
  }
}
