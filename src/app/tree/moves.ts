/** What the tree does to pages: each is shown at once, sent, and can be taken back. */
import { showDone, showProblem } from '../kit/toast.tsx'
import { type ContentChange, type ContentTarget, type PageNode, showPages, write } from '../pages/content-target.ts'
import { explain } from '../session/errors.ts'
import { endedSession } from '../session/signed-out.ts'
import { t } from '../texts/index.ts'
import { changePage, countBelow, movePage, type Target, trailOf, withoutPage } from './rows.ts'

/** Sends a change that is shown already; a refusal brings back what is true. */
async function send(content: ContentTarget, changes: ContentChange[]) {
  try {
    return await write(content, changes)
  } catch (error) {
    if (!endedSession(error)) showProblem(explain(error))
    return undefined
  }
}

export async function move(
  content: ContentTarget,
  pages: readonly PageNode[],
  page: PageNode,
  target: Target,
): Promise<void> {
  const parent = trailOf(pages, page.id).at(-2)
  const siblings: readonly PageNode[] = parent ? (parent.pages ?? []) : pages
  const before = { into: parent?.id ?? null, at: siblings.findIndex(({ id }) => id === page.id) }
  const change = ({ into, at }: Target): ContentChange => ({ operation: 'move_page', page: page.id, into, at })
  showPages(content, (all) => movePage(all, page.id, target))
  if (!(await send(content, [change(target)]))) return
  showDone(t.tree.moved(page.title), {
    label: t.common.undo,
    run: () => {
      showPages(content, (all) => movePage(all, page.id, before))
      void send(content, [change(before)])
    },
  })
}

export async function rename(content: ContentTarget, page: PageNode, title: string): Promise<void> {
  if (title === '' || title === page.title) return
  showPages(content, (all) => changePage(all, page.id, { title }))
  await send(content, [{ operation: 'update_page', page: page.id, title }])
}

export async function setHidden(content: ContentTarget, page: PageNode, hidden: boolean): Promise<void> {
  showPages(content, (all) => changePage(all, page.id, { hidden }))
  await send(content, [{ operation: 'update_page', page: page.id, hidden }])
}

/** Deleted pages come back from the revision before, with all that stood below them. */
export async function remove(content: ContentTarget, page: PageNode, revision: string | undefined): Promise<boolean> {
  const below = countBelow(page)
  showPages(content, (all) => withoutPage(all, page.id))
  if (!(await send(content, [{ operation: 'delete_page', page: page.id }]))) return false
  const title = below === 0 ? t.tree.deleted(page.title) : t.tree.deletedMany(page.title, below)
  const bringBack = (): void => void restore(content, idsOf(page), revision ?? '')
  showDone(title, revision === undefined ? undefined : { label: t.common.undo, run: bringBack })
  return true
}

const batch = 50

/** Brings pages back from a revision, those above before those below. */
export async function restore(content: ContentTarget, ids: readonly string[], revision: string): Promise<void> {
  for (let start = 0; start < ids.length; start += batch) {
    const changes = ids
      .slice(start, start + batch)
      .map((page) => ({ operation: 'revert_page' as const, page, revision }))
    if (!(await send(content, changes))) return
  }
}

const idsOf = (page: PageNode): string[] => [page.id, ...(page.pages ?? []).flatMap(idsOf)]

export interface NewPage {
  title: string
  into?: string | undefined
  at?: number | undefined
  type?: 'document' | 'group' | 'link'
  url?: string
}

export async function add(
  content: ContentTarget,
  { title, into, at, type, url }: NewPage,
): Promise<string | undefined> {
  const results = await send(content, [
    {
      operation: 'insert_page',
      title,
      document: {},
      ...(into === undefined ? {} : { into }),
      ...(at === undefined ? {} : { at }),
      ...(type === undefined ? {} : { type }),
      ...(url === undefined ? {} : { target: { kind: 'url', url } }),
    },
  ])
  const made = results?.find((result) => result.object === 'created_page')
  return made?.object === 'created_page' ? made.page.id : undefined
}
