/**
 * One folder a named outcome: `base`, `ours` and `theirs` in, `merged` out, with the conflicts below it.
 * `UPDATE_CASES=1` writes what the merge gives; look at the difference before you keep it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MergeConflict } from '../../../src/core/merge/merged-pages.ts'
import { faultsOf, mergeRevisions } from './revision.ts'
import { printRevision, readRevision } from './revision-outline.ts'

const folder = join(import.meta.dirname, 'cases')

describe('named outcomes', () => {
  for (const name of readdirSync(folder).sort()) {
    it(name, async () => {
      const file = (version: string): string => join(folder, name, `${version}.txt`)
      const read = (version: string): string => readFileSync(file(version), 'utf8')
      const revisions = {
        base: readRevision(read('base')),
        ours: readRevision(read('ours')),
        theirs: readRevision(read('theirs')),
      }
      const { revision, conflicts, renamed } = await mergeRevisions(revisions)
      const lines = [
        printRevision(revision),
        ...conflicts.map((conflict) => `! ${printConflict(conflict)}`),
        ...renamed.map(({ page, from, to }) => `! slug of ${page}: ${from} → ${to}`),
      ]
      const text = `${lines.join('\n')}\n`
      if (process.env.UPDATE_CASES === '1') writeFileSync(file('merged'), text)
      expect(text).toBe(read('merged'))
      expect(faultsOf(revision)).toEqual([])
    })
  }
})

function printConflict(conflict: MergeConflict): string {
  const { kind, ...rest } = conflict
  const fields = Object.entries(rest).map(([name, value]) =>
    name === 'blocks' ? conflictedBlocks(value) : `${name}=${JSON.stringify(value)}`,
  )
  return [kind, ...fields].join(' ')
}

function conflictedBlocks(blocks: unknown): string {
  const list: unknown[] = Array.isArray(blocks) ? blocks : []
  return list
    .map((block) =>
      typeof block === 'object' && block !== null && 'id' in block && 'kind' in block
        ? `${block.kind}:${block.id}`
        : '',
    )
    .join(' ')
}
