/**
 * Who may do what: every operation as every role, against the grid that is checked in.
 *
 * A change of the permission table shows as a diff of `permissions.grid.md`; `UPDATE_GRID=1` writes it anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { eachBackend } from '../kit/backends.ts'
import { cast, type Kit, type Someone, useKit } from '../kit/server.ts'
import { changed, type Snapshot, snapshotOf } from '../kit/snapshot.ts'
import { type FixtureInput, inputFor } from './fixtures.ts'

const file = fileURLToPath(new URL('./permissions.grid.md', import.meta.url))
const update = process.env.UPDATE_GRID === '1'

const header = `# Who may do what

Every operation as every role, on things of their organization. \`204 –\` deletes nothing: what the caller cannot see is absent.
Written by \`UPDATE_GRID=1 npx vitest run test/api/permissions\`.

| operation | needs | ${cast.join(' | ')} |
|---|---|${cast.map(() => '---|').join('')}
`

const known = new Map(
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter((line) => /^\| \w+ \|/.test(line) && !line.startsWith('| operation'))
    .map((line) => [line.split('|')[1]?.trim() ?? '', line]),
)

eachBackend((backend) => {
  const kit = useKit(backend)
  const rows: string[] = []

  describe('the grid', () => {
    for (const [name, operation] of operations) {
      test(name, async () => {
        const cells: string[] = []
        let given: Given | undefined
        for (const someone of cast) {
          given ??= await makeGiven(kit, name, operation)
          const cell = await cellOf(kit, { name, someone, ...given })
          cells.push(cell)
          // What was changed or used up is made anew for the next; who was refused left it as it was.
          if (operation.method !== 'GET' && cell !== '204 –' && Number.parseInt(cell, 10) < 300) given = undefined
        }
        const row = `| ${name} | ${operation.needs} | ${cells.join(' | ')} |`
        rows.push(row)
        if (!update) expect(row).toBe(known.get(name))
      })
    }

    test('has no row of an operation that is gone', () => {
      if (!update) expect([...known.keys()]).toEqual(operations.map(([name]) => name))
    })
  })

  afterAll(() => {
    if (update && rows.length === operations.length) writeFileSync(file, `${header}${rows.join('\n')}\n`)
  })
})

/** What an operation is called with, and for a deletion what the database held before it. */
interface Given {
  input: FixtureInput
  before: Snapshot | undefined
}

async function makeGiven(kit: Kit, name: string, operation: Operation): Promise<Given> {
  const input = await inputFor(kit, name, operation)
  return { input, before: operation.method === 'DELETE' ? await snapshotOf(kit.db) : undefined }
}

async function cellOf(kit: Kit, { name, someone, input, before }: Given & { name: string; someone: Someone }) {
  const { params, query, body, headers } = input
  const { status, body: answer } = await kit.call(someone, name, { ...params, query, body }, headers)
  // A matrix of who may is worth nothing when the input is wrong.
  if (status === 400) throw new Error(`${name} as ${someone}: ${JSON.stringify(answer)}`)
  const idle = before !== undefined && status === 204 && changed(before, await snapshotOf(kit.db)).length === 0
  return idle ? '204 –' : String(status)
}
