/** What changed inside a document, as the API tells it: no block is told twice, and what stayed is told by its key. */
import type { z } from 'zod'
import type { BlockChange as Shape } from '../../../contract/content/changes.ts'
import type { BlockChange, CellChange } from '../../../core/diff/documents.ts'
import { makeDocument } from '../../../core/document/tree/make.ts'
import type { ContentReader } from '../../../store/content/content.ts'
import { diffAside } from './merge-aside.ts'

type Shown = z.output<typeof Shape>

/** Between the documents of two hashes; a page without one is empty. */
export async function blockChanges(
  reader: ContentReader,
  hashes: { before: string | undefined; after: string | undefined },
): Promise<Shown[]> {
  const read = async (hash: string | undefined) => (hash === undefined ? makeDocument([]) : reader.document(hash))
  const changes = await diffAside(reader.threads, {
    before: await read(hashes.before),
    after: await read(hashes.after),
  })
  return changes.map(present)
}

function present({ kind, key, before, after, words, fields, children, parts, table }: BlockChange): Shown {
  const hasDetails = words !== undefined || children !== undefined || parts !== undefined || table !== undefined
  const showsBlocks = kind !== 'same' && !hasDetails
  return {
    kind,
    type: (after ?? before)?.type ?? '',
    ...(key === undefined ? {} : { key }),
    ...(showsBlocks && before !== undefined ? { before: { ...before } } : {}),
    ...(showsBlocks && after !== undefined ? { after: { ...after } } : {}),
    ...(fields === undefined ? {} : { fields }),
    ...(words === undefined
      ? {}
      : {
          words: words.map(({ inline, ...word }) => ({
            ...word,
            ...(inline === undefined ? {} : { inline: { ...inline } }),
          })),
        }),
    ...(children === undefined ? {} : { children: children.map(present) }),
    ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part, children: part.children.map(present) })) }),
    ...(table === undefined
      ? {}
      : { table: { ...table, rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(presentCell) })) } }),
  }
}

const presentCell = ({ children, ...cell }: CellChange) => ({
  ...cell,
  ...(children === undefined ? {} : { children: children.map(present) }),
})
