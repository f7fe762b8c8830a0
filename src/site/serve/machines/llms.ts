/**
 * `llms.txt`, an overview of the site for language models, and `llms-full.txt`, its text in one file. Neither is there on
 * sites that are not for them.
 */
import { setImmediate as breath } from 'node:timers/promises'
import { spacesIn } from '../../../core/site-structure.ts'
import { type Profile, profileOf, type ServedSpace } from '../profile.ts'
import type { Answered, Asked, Visiting } from '../visiting.ts'
import { markdownOf } from './markdown.ts'
import { type Listed, listedPages } from './pages.ts'
import { nothingHere, textAnswer } from './text-answer.ts'

/** More than any model reads at once, and little enough to be kept. */
const longestText = 1_500_000

export const answerOverview = (visiting: Visiting, _asked: Asked): Promise<Answered> => overview(visiting, 'text/plain')

/** The same as `sitemap.md`, where others look for it. */
export const answerMarkdownMap = (visiting: Visiting, _asked: Asked): Promise<Answered> =>
  overview(visiting, 'text/markdown')

async function overview(visiting: Visiting, contentType: string): Promise<Answered> {
  const profile = await profileOf(visiting)
  if (!profile.forAgents) return nothingHere
  const lines = [`# ${lineOf(profile.title)}`, '', 'Every page as Markdown.', '']
  for (const siteSpace of inOrder(profile)) {
    const pages = await listedPages(visiting, profile, siteSpace)
    if (pages.length === 0) continue
    lines.push(`## ${lineOf(nameOf(profile, siteSpace))}`, '', ...entriesOf(pages), '')
  }
  return textAnswer(visiting.site, contentType, `${lines.join('\n').trimEnd()}\n`)
}

export async function answerFullText(visiting: Visiting, _asked: Asked): Promise<Answered> {
  const profile = await profileOf(visiting)
  if (!profile.forAgents) return nothingHere
  const { site } = visiting
  const parts: string[] = [`# ${lineOf(profile.title)}\n`]
  let length = 0
  // One variant of each section: the others say the same for another version or in another language.
  for (const siteSpace of inOrder(profile).filter((one) => one.isDefault)) {
    for (const { page, url } of await listedPages(visiting, profile, siteSpace)) {
      // Whoever reads a page meanwhile is served between two of these.
      await breath()
      const text = `<!-- ${url} -->\n\n${await markdownOf(visiting, { profile, siteSpace, page })}`
      length += text.length
      if (length > longestText) {
        parts.push(`The rest is left out. ${site.root}/llms.txt lists every page.\n`)
        return textAnswer(site, 'text/plain', parts.join('\n'))
      }
      parts.push(text)
    }
  }
  return textAnswer(site, 'text/plain', parts.join('\n'))
}

/** Places as readers meet them, section by section. */
function inOrder({ structure }: Profile): ServedSpace[] {
  const sections = structure.sections.length === 0 ? [null] : structure.sections.map((section) => section.id)
  return sections.flatMap((id) => spacesIn(structure, id))
}

function nameOf({ structure }: Profile, siteSpace: ServedSpace): string {
  const section = structure.sections.find((one) => one.id === siteSpace.sectionId)
  const isAlone = spacesIn(structure, siteSpace.sectionId).length === 1
  if (!section) return siteSpace.about.title
  return isAlone ? section.about.title : `${section.about.title}: ${siteSpace.about.title}`
}

/** Under the names of their groups. */
function entriesOf(pages: readonly Listed[]): string[] {
  const lines: string[] = []
  let group = ''
  for (const listed of pages) {
    const name = listed.groups.map(lineOf).join(' / ')
    if (name !== group) lines.push('', ...(name === '' ? [] : [`### ${name}`, '']))
    group = name
    lines.push(entryOf(listed))
  }
  return lines
}

function entryOf({ page, markdownUrl, depth }: Listed): string {
  const about = page.description === undefined ? '' : `: ${lineOf(page.description)}`
  return `${'  '.repeat(Math.min(depth, 8))}- [${lineOf(page.title).replace(/[[\]\\]/g, '\\$&')}](${markdownUrl})${about}`
}

/** On one line, whatever was written. */
const lineOf = (text: string): string => text.replace(/\s+/g, ' ').trim()
