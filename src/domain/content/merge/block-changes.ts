/**
 * What changed inside a document, as the API tells it: no block is told twice, and what stayed is told by its key, but for
 * the words beside a change, which show where it stands.
 */
import type { z } from 'zod'
import type { BlockChange as Shape } from '../../../contract/content/changes.ts'
import type { BlockChange, TableChange } from '../../../core/diff/documents.ts'
import { isTextBlock } from '../../../core/diff/parts.ts'
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
  return presentList(changes)
}

/** Of blocks in one list; the one before and the one after a change are shown, of code three lines. */
function presentList(changes: readonly BlockChange[]): Shown[] {
  const isChanged = (change: BlockChange | undefined) => change !== undefined && change.kind !== 'same'
  return changes.map((change, at) => {
    const reach = change.after?.type === 'code-line' ? 3 : 1
    return present(change, changes.slice(Math.max(0, at - reach), at + reach + 1).some(isChanged))
  })
}

const presentAll = (changes: readonly BlockChange[]): Shown[] => changes.map((change) => present(change, true))

/** A table or a picture that stayed is as large as it is: of what stayed only words are shown. */
const isShownUnchanged = (block: BlockChange['after']): boolean =>
  block !== undefined && (isTextBlock(block) || block.type === 'list-item')

function present(change: BlockChange, isBesideChange: boolean): Shown {
  const { kind, key, before, after, words, fields, children, parts, table } = change
  const hasDetails = words !== undefined || children !== undefined || parts !== undefined || table !== undefined
  const showsBefore = kind !== 'same' && !hasDetails
  const showsAfter = showsBefore || (kind === 'same' && isBesideChange && isShownUnchanged(after))
  return {
    kind,
    type: (after ?? before)?.type ?? '',
    ...(key === undefined ? {} : { key }),
    ...(showsBefore && before !== undefined ? { before: { ...before } } : {}),
    ...(showsAfter && after !== undefined ? { after: { ...after } } : {}),
    ...(fields === undefined ? {} : { fields }),
    ...(words === undefined
      ? {}
      : {
          words: words.map(({ inline, ...word }) => ({
            ...word,
            ...(inline === undefined ? {} : { inline: { ...inline } }),
          })),
        }),
    ...(children === undefined ? {} : { children: presentList(children) }),
    ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part, children: presentList(part.children) })) }),
    ...(table === undefined ? {} : { table: { ...table, rows: table.rows.map(presentRow) } }),
  }
}

/** A row is read whole: the cells of one that changed are shown where they stayed, too. */
const presentRow = ({ cells, ...row }: TableChange['rows'][number]) => ({
  ...row,
  cells: cells.map(({ children, ...cell }) => ({
    ...cell,
    ...(children === undefined ? {} : { children: row.kind === 'same' ? presentList(children) : presentAll(children) }),
  })),
})
