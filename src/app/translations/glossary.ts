/** Changes of the glossary. The API takes it whole, so each change is made to what it holds at that moment. */
import { call, type Output } from '../session/client.ts'

export type Entry = Output<'listTranslationsGlossary'>['items'][number]
export type Term = Pick<Entry, 'term' | 'translations'>

export const mostTerms = 1000

interface Change {
  /** A term that goes. */
  remove?: string
  /** One that is new, or has other translations. */
  put?: Term
}

export async function changeGlossary(organizationId: string, { remove, put }: Change): Promise<void> {
  const { items } = await call('listTranslationsGlossary', { organizationId, query: { limit: mostTerms } })
  const others = items.filter(({ term }) => term !== remove && term !== put?.term)
  const entries = [...others, ...(put ? [put] : [])].map(({ term, translations }) => ({ term, translations }))
  await call('updateTranslationsGlossary', { organizationId, body: { entries } })
}
