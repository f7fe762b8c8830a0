/** Conflicts in a document: found, hidden from readers, resolved. */
import { describe, expect, it } from 'vitest'
import { conflictsIn, hasConflicts, resolveConflict, withoutConflicts } from '../../../src/core/merge/conflicts.ts'
import { mergeDocuments } from '../../../src/core/merge/documents.ts'
import { printOutline, readOutline } from './outline.ts'

const base = readOutline('p a: Wait thirty days.\nhint h style=info\n  p b: Note.')
const ours = readOutline('p a: Wait sixty days.')
const theirs = readOutline('p a: Wait ninety days.\nhint h style=info\n  p b: Note this.')
const { document } = mergeDocuments({ base, ours, theirs })

describe('conflicts', () => {
  it('are found with the versions of both sides', () => {
    expect(conflictsIn(document).map(({ id, kind, ours, theirs }) => [id, kind, ours.length, theirs.length])).toEqual([
      ['a', 'edit', 1, 1],
      ['h', 'delete', 0, 1],
    ])
  })

  it('leave what either side has when the other is taken away', () => {
    expect(printOutline(withoutConflicts(document))).toBe(printOutline(ours))
    expect(printOutline(withoutConflicts(document, 'theirs'))).toBe(printOutline(theirs))
    expect(withoutConflicts(ours)).toBe(ours)
  })

  it('are resolved one by one, and the block keeps its key', () => {
    const half = resolveConflict(document, 'a', 'theirs')
    expect(conflictsIn(half).map(({ id }) => id)).toEqual(['h'])
    expect(half.nodes[0]?.key).toBe('a')
    expect(hasConflicts(resolveConflict(half, 'h', 'ours'))).toBe(false)
  })
})
