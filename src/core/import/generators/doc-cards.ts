/** `<DocCardList />` of Docusaurus: a card for each page below the one it stands on, or beside it where none is below. */
import { splitFrontMatter } from '../../document/syntax/front-matter.ts'
import type { ArrangedPage } from '../../repository/arrange.ts'
import { skim } from '../../repository/arrange-folders.ts'
import { folderOf, relativePath } from '../../repository/paths.ts'
import type { ImportedText } from '../tree.ts'

type Texts = ReadonlyMap<string, ImportedText>

/** The texts that have such a list, by path, with its cards written out in its place. */
export function writeDocCards(pages: readonly ArrangedPage[], texts: Texts): Map<string, ImportedText> {
  const written = new Map<string, ImportedText>()
  const visit = (siblings: readonly ArrangedPage[]): void => {
    for (const page of siblings) {
      const text = page.path === undefined ? undefined : texts.get(page.path)
      if (page.path !== undefined && text && 'markdown' in text && text.markdown.includes('<DocCardList')) {
        const listed = page.children.length > 0 ? page.children : siblings.filter((one) => one !== page)
        const cards = cardsOf(listed, folderOf(page.path), texts)
        written.set(page.path, { ...text, markdown: replaceLists(text.markdown, cards), listed: cards })
      }
      visit(page.children)
    }
  }
  visit(pages)
  return written
}

const list = /^[ \t]*<DocCardList\b[^<]*?(?:\/>|>\s*<\/DocCardList>)[ \t]*$/
const fence = /^[ \t]*(`{3,}|~{3,})/

function replaceLists(markdown: string, cards: string): string {
  let open: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const ticks = fence.exec(line)?.[1]
      if (ticks !== undefined && open === undefined) open = ticks
      else if (ticks !== undefined && open !== undefined && ticks.startsWith(open)) open = undefined
      return open === undefined && list.test(line.replace(/\r$/, '')) ? `\n${cards}\n` : line
    })
    .join('\n')
}

function cardsOf(pages: readonly ArrangedPage[], folder: string, texts: Texts): string {
  const cards = pages.flatMap((page) => {
    if (page.unlisted) return []
    const path = firstPath(page)
    const target = path === undefined ? page.target : relativePath(folder, path)
    if (target === undefined) return []
    const { title, description } = wordsOf(page, texts)
    const more = description === undefined ? '' : ` description=${quoted(description)}`
    return `<Card title=${quoted(title)} href=${quoted(target)}${more} />`
  })
  return cards.length === 0 ? '' : ['<CardGroup>', ...cards, '</CardGroup>'].join('\n')
}

/** A group has no page of its own: its card leads to the first in it. */
function firstPath(page: ArrangedPage): string | undefined {
  if (page.path !== undefined) return page.path
  for (const child of page.children) {
    const path = firstPath(child)
    if (path !== undefined) return path
  }
  return undefined
}

function wordsOf(page: ArrangedPage, texts: Texts): { title: string; description?: string | undefined } {
  const text = page.path === undefined ? undefined : texts.get(page.path)
  const markdown = text && 'markdown' in text ? text.markdown : ''
  const { title = page.title, label } = skim(markdown)
  const { description } = splitFrontMatter(markdown).frontMatter
  return { title: page.linkTitle ?? (page.isNamed ? page.title : (label ?? title)), description }
}

const quoted = (text: string): string =>
  `"${text.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`
