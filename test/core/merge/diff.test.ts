/** What a review page and a change summary are given. */
import { describe, expect, it } from 'vitest'
import { type BlockChange, diffDocuments } from '../../../src/core/diff/documents.ts'
import { diffRevisions } from '../../../src/core/diff/revisions.ts'
import type { FileRecord, PageRecord } from '../../../src/core/revision/records.ts'
import { readOutline } from './outline.ts'

describe('the difference of two documents', () => {
  it('names blocks added, removed, moved and changed, in the order of the new one', () => {
    const before = readOutline('p a: One.\np b: Two.\np c: Three.\np d: Four.')
    const after = readOutline('p d: Four.\np a: One.\np n: New.\np c: Three, more.')
    expect(diffDocuments(before, after).map(brief)).toEqual(['moved d', 'same a', 'removed b', 'added n', 'changed c'])
  })

  it('tells words apart, with their marks, and takes a link whole', () => {
    const before = readOutline('p a: The quick brown fox, see [here](x).')
    const after = readOutline('p a: The *quick* red fox, see [there](x).')
    const [change] = diffDocuments(before, after)
    expect(change?.words?.map(({ kind, text, marks }) => `${kind} ${text}${marks.length > 0 ? '*' : ''}`)).toEqual([
      'same The ',
      'removed quick brown',
      'added quick*',
      'added  red',
      'same  fox, see ',
      'removed here',
      'added there',
      'same .',
    ])
  })

  it('looks into lists, expandables and tables', () => {
    const before = readOutline(
      'ul l\n  li i\n    p x: One\n  li j\n    p y: Two\nexpandable e\n  ~expandable-title\n    p t: Title\n  ~expandable-body\n    p z: Body\ntable t1\n  column c1 text Name\n  column c2 number Count\n  row r1 | alpha | 1\n  row r2 | beta | 2',
    )
    const after = readOutline(
      'ul l\n  li i\n    p x: One, more\n  li j\n    p y: Two\nexpandable e\n  ~expandable-title\n    p t: Title\n  ~expandable-body\n    p z: Body, more\ntable t1\n  column c1 text Name\n  column c2 number Count\n  row r1 | alpha | 5\n  row r3 | gamma | 3',
    )
    const [list, expandable, table] = diffDocuments(before, after)
    expect(list?.children?.map(brief)).toEqual(['changed i', 'same j'])
    expect(expandable?.parts?.map(({ part, children }) => `${part}: ${children.map(brief).join()}`)).toEqual([
      'expandable-title: same t',
      'expandable-body: changed z',
    ])
    expect(
      table?.table?.rows.map(({ kind, id, cells }) => `${kind} ${id} ${cells.map((cell) => cell.kind).join()}`),
    ).toEqual(['changed r1 same,changed', 'removed r2 removed,removed', 'added r3 added,added'])
  })

  it('pairs blocks by likeness where there are no keys', () => {
    const before = readOutline('p: Some words of the first.\np: Other things entirely.')
    const after = readOutline('p: Something new on top.\np: Some words of the first, again.\np: Other things entirely.')
    expect(diffDocuments(before, after).map(({ kind }) => kind)).toEqual(['added', 'changed', 'same'])
  })
})

describe('the difference of two revisions', () => {
  const page: PageRecord = { id: 'b', type: 'document', rank: 'a0', title: 'B', slug: 'b' }
  const file: FileRecord = { id: 'f', name: 'f.png', contentType: 'image/png', size: 1, blob: 'x' }

  it('gives a page that was moved and edited twice, and keeps the order of pages', () => {
    const changes = diffRevisions({
      pages: [
        { id: 'z', after: { ...page, id: 'z' } },
        { id: 'b', before: page, after: { ...page, rank: 'a1', title: 'New' } },
        { id: 'a', before: { ...page, id: 'a' } },
        { id: 'c', before: page, after: { ...page, updatedAt: '2026-01-01' } },
      ],
      files: [{ id: 'f', before: file, after: { ...file, blob: 'y' } }],
      reusables: [{ id: 'r', before: { id: 'r', title: 'R' } }],
      variables: { before: { a: '1', b: '2' }, after: { a: '1', b: '3', c: '4' } },
    })
    expect(changes.map(({ type }) => type)).toEqual([
      'page_created',
      'page_moved',
      'page_edited',
      'page_deleted',
      'file_edited',
      'reusable_content_deleted',
      'variables_edited',
    ])
    expect(changes.at(-1)).toMatchObject({ names: ['b', 'c'] })
  })
})

const brief = ({ kind, key }: BlockChange): string => `${kind} ${key}`
