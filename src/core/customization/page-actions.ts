/**
 * The menu of a page is said in two ways: newer clients send the list of its items, older ones a flag for each of four.
 * Both are answered and always agree. When a client sends both, what it changed counts.
 */

import type { z } from 'zod'
import type { Customization, CustomizationBody } from './shape.ts'

type Given = Pick<Partial<z.output<typeof CustomizationBody>>, 'pageActions' | 'pdf' | 'git'>
type Actions = Pick<Customization, 'pageActions' | 'pdf' | 'git'>
type Item = Customization['pageActions']['items'][number]

/** The menu as it was stored: by its items if they are there, else by its flags. */
export const actionsOf = (given: Given): Actions => withItems(given.pageActions?.items ?? itemsOf(flagsOf(given)))

/** The menu as it is to be after a change to the one before; nothing when the change is not about it. */
export function changeActions(before: Actions, given: Given): Actions | undefined {
  const { pageActions, pdf, git } = given
  if (!pageActions && !pdf && !git) return undefined
  const { items } = before.pageActions
  const sent = pageActions?.items
  if (sent && !isSame(sent, items)) return withItems(sent)
  const wanted = flagsOf(given, before)
  const stay = items.filter((item) => wanted[item] !== false)
  return withItems([...stay, ...itemsOf(wanted).filter((item) => !stay.includes(item))])
}

type Flags = Partial<Record<Item, boolean>>

const flagsOf = ({ pageActions, pdf, git }: Given, before?: Actions): Flags => ({
  markdown: pageActions?.markdown ?? before?.pageActions.markdown ?? true,
  'external-ai': pageActions?.externalAI ?? before?.pageActions.externalAI ?? false,
  pdf: pdf?.enabled ?? before?.pdf.enabled ?? false,
  git: git?.showEditLink ?? before?.git.showEditLink ?? false,
})

const flagged: readonly Item[] = ['markdown', 'external-ai', 'pdf', 'git']
const itemsOf = (flags: Flags): Item[] => flagged.filter((item) => flags[item])

const withItems = (items: readonly Item[]): Actions => ({
  pageActions: {
    externalAI: items.includes('external-ai'),
    markdown: items.includes('markdown'),
    items: [...new Set(items)],
  },
  pdf: { enabled: items.includes('pdf') },
  git: { showEditLink: items.includes('git') },
})

const isSame = (some: readonly Item[], others: readonly Item[]): boolean => some.join() === others.join()
