/**
 * Revisions as text: `- intro @m slug=start: Introduction` is a page with its rank, its fields and its title, pages
 * under it are indented, and lines with `|` are its document (see outline.ts). `% f1 name=a.png blob=x` is a file,
 * `$ r1: Title` a reusable content with its document below, `= name=value` a variable.
 */
import type { FileRecord, PageRecord } from '../../../src/core/revision/records.ts'
import { printOutline, readOutline } from './outline.ts'
import { childrenOf, emptyRevision, type Revision, storeDocument } from './revision.ts'

export function readRevision(text: string): Revision {
  const revision = emptyRevision()
  const open: { id: string; depth: number }[] = []
  let lines: string[] = []
  let close: (hash: string) => void = () => {}
  const closeDocument = (): void => {
    if (lines.length > 0) close(storeDocument(revision, readOutline(lines.join('\n'))))
    lines = []
  }
  for (const line of text.split('\n')) {
    const depth = (line.length - line.trimStart().length) / 2
    const content = line.trim()
    if (content.startsWith('|')) {
      lines.push(content.slice(2))
      continue
    }
    closeDocument()
    const [, mark, id = '', rank, fields = '', title = ''] =
      /^([-%$=]) ?(\S+?)?(?: @(\w+))?((?: ?[\w-]+=(?:"[^"]*"|\{.*?\}|[^\s:]+))*)(?:: (.*))?$/.exec(content) ?? []
    if (mark === '-') {
      while ((open.at(-1)?.depth ?? -1) >= depth) open.pop()
      const parent = open.at(-1)?.id
      const page: PageRecord = {
        id,
        type: 'document',
        rank: rank ?? '',
        title,
        ...(parent === undefined ? {} : { parent }),
      }
      Object.assign(page, { slug: id }, readFields(fields))
      if (page.type === 'link') delete page.slug
      revision.pages.set(id, page)
      open.push({ id, depth })
      close = (hash) => {
        page.document = hash
      }
    } else if (mark === '%') {
      const file: FileRecord = { id, name: id, contentType: 'image/png', size: 1, blob: '' }
      revision.files.set(id, Object.assign(file, readFields(fields)))
    } else if (mark === '$') {
      const reusable = { id, title }
      revision.reusables.set(id, reusable)
      close = (hash) => Object.assign(reusable, { document: hash })
    } else if (mark === '=') {
      const [name = '', value = ''] = content.slice(2).split('=')
      revision.variables[name] = value
    }
  }
  closeDocument()
  return revision
}

export function printRevision(revision: Revision): string {
  const lines = printPages(revision, undefined, '')
  for (const { id, name, blob } of revision.files.values()) lines.push(`% ${id} name=${name} blob=${blob}`)
  for (const { id, title, document } of revision.reusables.values())
    lines.push(`$ ${id}: ${title}`, ...printDocument(revision, document, '  '))
  for (const [name, value] of Object.entries(revision.variables)) lines.push(`= ${name}=${value}`)
  return lines.join('\n')
}

function printPages(revision: Revision, parent: string | undefined, indent: string): string[] {
  return childrenOf(revision.pages, parent).flatMap((page) => {
    const { id, rank, title, document, type, parent: _, slug, ...rest } = page
    const shown = {
      ...(type === 'document' ? {} : { type }),
      ...(slug === undefined || slug === id ? {} : { slug }),
      ...rest,
    }
    const fields = Object.entries(shown).map(([name, value]) => ` ${name}=${printValue(value)}`)
    return [
      `${indent}- ${id} @${rank}${fields.join('')}: ${title}`,
      ...printDocument(revision, document, `${indent}  `),
      ...printPages(revision, id, `${indent}  `),
    ]
  })
}

function printDocument({ documents }: Revision, hash: string | undefined, indent: string): string[] {
  const document = hash === undefined ? undefined : documents.get(hash)
  if (document === undefined) return []
  return printOutline(document)
    .split('\n')
    .map((line) => `${indent}| ${line}`)
}

function readFields(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([\w-]+)=("[^"]*"|\{.*?\}|\S+)/g)) {
    try {
      fields[name] = JSON.parse(value)
    } catch {
      fields[name] = value
    }
  }
  return fields
}

function printValue(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]+$/.test(value) ? value : JSON.stringify(value)
}
