/** Which pages of a space a visitor sees: those whose own condition and whose ancestors' all hold. */
import { allHold } from '../../../core/expressions/conditions.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { permissionsOf } from '../../../core/permissions.ts'
import { ancestorsOf, childrenOf } from '../../../core/revision/content.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import type { SpaceRow } from '../../../store/content/spaces.ts'
import { type ContentAt, contentAt } from '../../content/at.ts'
import type { Page } from '../../content/present-page.ts'
import type { Base } from '../../handler.ts'

/** The content of a space that is on a site; whoever is let into the site may read it. */
export const contentOnSite = ({ db, env }: Pick<Base, 'db' | 'env'>, space: SpaceRow): Promise<ContentAt> =>
  contentAt({
    db,
    env,
    space: {
      ...space,
      memberId: null,
      memberRole: null,
      memberDisabled: null,
      level: 'read',
      permissions: permissionsOf('space', { level: 'read' }),
    },
  })

type Conditional = { condition?: string | undefined; variables?: Readonly<Record<string, string>> | undefined }

const holds = (page: Conditional, scope: Scope): boolean =>
  page.condition === undefined || allHold([page.condition], { ...scope, page: { vars: page.variables ?? {} } })

const inSpace = (scope: Scope, at: ContentAt): Scope => ({ ...scope, space: { vars: at.content.variables } })

/** Whether the page's own condition holds; those above it are asked for by themselves. */
export const admittedIn = (at: ContentAt, page: PageRecord, scope: Scope): boolean =>
  page.condition === undefined || holds(page, inSpace(scope, at))

export async function isAdmitted(at: ContentAt, page: PageRecord, scope: Scope): Promise<boolean> {
  const known = inSpace(scope, at)
  if (!holds(page, known)) return false
  return (await ancestorsOf(at.reader, at.content, page)).every((ancestor) => holds(ancestor, known))
}

/** A tree of pages without those that are not admitted, without what stands below them, and without who is admitted. */
export function admittedTree(at: ContentAt, pages: readonly Page[], scope: Scope): Page[] {
  const known = inSpace(scope, at)
  const admit = (level: readonly Page[]): Page[] =>
    level
      .filter((page) => holds(page, known))
      .map(({ condition: _, ...page }) => (page.pages === undefined ? page : { ...page, pages: admit(page.pages) }))
  return admit(pages)
}

/** The page that opens a space: its first document that is listed and admitted. */
export async function firstPage(at: ContentAt, scope: Scope, parent?: string): Promise<PageRecord | undefined> {
  const known = inSpace(scope, at)
  for (const page of await childrenOf(at.reader, at.content, parent)) {
    if (page.hidden || !holds(page, known)) continue
    if (page.type === 'document') return page
    const inside = page.type === 'group' ? await firstPage(at, scope, page.id) : undefined
    if (inside) return inside
  }
  return undefined
}
