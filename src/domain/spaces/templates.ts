/** The built-in templates: what a new space may start with. Each is a list of Markdown pages, our own writing. */

import { fromMarkdown } from '../../core/document/read/from-markdown.ts'
import { assignKeys } from '../../core/document/tree/keys.ts'
import { invalid } from '../../core/errors.ts'
import { type Content, emptyContent, freeSlug, putPages, ranksAt } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import type { ContentWriter } from '../../store/content/content.ts'
import { type TemplatePage, templatePages } from './template-pages.ts'

export const templates = Object.entries(templatePages).map(([id, template]) => ({ id, ...template }))

export type Template = (
  writer: ContentWriter,
  options: { newId: () => string; now: string; onto?: Content },
) => Promise<Content>

/** How to lay a template's pages behind what a content holds already; refused by the field that names one that is not there. */
export function templateContent(id: string, field: string): Template {
  const template = templates.find((known) => known.id === id)
  if (!template) throw invalid(field, `names no template; there are ${templates.map((known) => known.id).join(', ')}`)
  const parsed = template.pages.map(parse)
  return async (writer, { newId, now, onto }) => {
    let content = onto ?? emptyContent(writer)
    const lay = async (page: Parsed, parent: string | undefined): Promise<void> => {
      const [rank = ''] = await ranksAt(writer, content, { parent })
      const record: PageRecord = {
        id: newId(),
        type: 'document',
        ...(parent === undefined ? {} : { parent }),
        rank,
        title: page.title,
        slug: await freeSlug(writer, content, { parent, title: page.title }),
        document: await writer.saveDocument(page.document),
        ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
        createdAt: now,
        updatedAt: now,
      }
      content = await putPages(writer, content, [{ after: record }])
      for (const child of page.pages) await lay(child, record.id)
    }
    for (const page of parsed) await lay(page, undefined)
    return content
  }
}

interface Parsed {
  title: string
  emoji?: string | undefined
  document: ReturnType<typeof assignKeys>
  pages: Parsed[]
}

const parse = (page: TemplatePage): Parsed => ({
  title: page.title,
  emoji: page.emoji,
  document: assignKeys(fromMarkdown(page.markdown).document),
  pages: (page.pages ?? []).map(parse),
})
