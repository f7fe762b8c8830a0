/** What must change for a content to hold what an import made, and how much that is. */
import { isOwn } from '../../core/import/origins.ts'
import { rankBetween } from '../../core/order.ts'
import { assignSlugs } from '../../core/repository/slugs.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import type { Removing } from './apply.ts'

export interface Present {
  tree: Map<string | undefined, PageRecord[]>
  pages: Map<string, PageRecord>
  files: Map<string, FileRecord>
  reusable: Map<string, ReusableRecord>
}

interface Made {
  pages: PageRecord[]
  files: FileRecord[]
  reusable: ReusableRecord[]
}

export type Change<T> = { before?: T | undefined; after?: T | undefined }
export type Changes = {
  pages: Change<PageRecord>[]
  files: Change<FileRecord>[]
  reusable: Change<ReusableRecord>[]
}

type Removal = { remove: Removing; origin: string }

export function changesTo(present: Present, made: Made, removal: Removal): Changes {
  return {
    pages: withMovedUp(between(present.pages, made.pages, removal), present, made.pages),
    files: between(present.files, made.files, removal),
    reusable: between(present.reusable, made.reusable, removal),
  }
}

function between<T extends { id: string; origin?: string; git?: PageRecord['git'] }>(
  old: ReadonlyMap<string, T>,
  now: readonly T[],
  { remove, origin }: Removal,
): Change<T>[] {
  const present = new Set(now.map(({ id }) => id))
  const isGone = (record: T): boolean =>
    !present.has(record.id) && (remove === 'all' || (remove === 'own' && isOwn(record, origin)))
  const gone = [...old.values()].filter(isGone)
  const put = now.flatMap((after) => {
    const before = old.get(after.id)
    return before && JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }]
  })
  return [...gone.map((before) => ({ before })), ...put]
}

/** With the pages of other people that stood below one that goes: they move up to the next that stays. */
function withMovedUp(
  changes: Change<PageRecord>[],
  { pages: old }: Present,
  made: readonly PageRecord[],
): Change<PageRecord>[] {
  const gone = new Set(changes.flatMap(({ before, after }) => (before && !after ? before.id : [])))
  if (gone.size === 0) return changes
  const isMade = new Set(made.map(({ id }) => id))
  const stay = [...old.values()].filter(({ id }) => !gone.has(id) && !isMade.has(id))
  const moved = stay.filter(({ parent }) => parent !== undefined && gone.has(parent))
  if (moved.length === 0) return changes
  const settled = [...made, ...stay.filter((page) => !moved.includes(page))]
  for (const before of moved) {
    let parent = before.parent
    while (parent !== undefined && gone.has(parent)) parent = old.get(parent)?.parent
    const siblings = settled.filter((page) => page.parent === parent)
    const [last = ''] = siblings
      .map(({ rank }) => rank)
      .sort()
      .reverse()
    const taken = new Set(siblings.flatMap(({ slug }) => slug ?? []))
    const [slug] = before.slug === undefined ? [] : assignSlugs([{ derived: before.slug }], taken)
    const { parent: _, ...rest } = before
    const after: PageRecord = {
      ...rest,
      ...(parent === undefined ? {} : { parent }),
      rank: rankBetween(last, ''),
      ...(slug === undefined ? {} : { slug }),
    }
    settled.push(after)
    changes.push({ before, after })
  }
  return changes
}

export interface Tally {
  added: number
  changed: number
  removed: number
  unchanged: number
}

export function tallyOf<T extends { id: string }>(
  changes: readonly Change<T>[],
  all: readonly T[],
  isCounted: (record: T) => boolean = () => true,
): Tally {
  const made = all.filter(isCounted)
  const own = new Set(made.map(({ id }) => id))
  const counted = changes.filter(({ before, after }) => (after ? own.has(after.id) : before && isCounted(before)))
  const count = (isSo: (change: Change<T>) => boolean): number => counted.filter(isSo).length
  const added = count(({ before, after }) => !before && after !== undefined)
  const changed = count(({ before, after }) => before !== undefined && after !== undefined)
  return { added, changed, removed: count(({ after }) => !after), unchanged: made.length - added - changed }
}
