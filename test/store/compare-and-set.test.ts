/** A head moves on only from where its writer saw it: without turns, which usually keep two writers apart. */
import { expect, test } from 'vitest'
import { moveChangeRequest } from '../../src/store/content/change-requests.ts'
import { moveHead } from '../../src/store/content/revisions.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  const now = '2026-11-15T12:00:00.000Z'

  const edited = async () => {
    const { id: spaceId, revision: first } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Moved' },
    })
    const changes = [{ operation: 'insert_page' as const, title: 'One', document: { markdown: 'Words.' } }]
    const { revision } = await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
    return { spaceId, first, revision }
  }

  test('main stays where the other writer put it', async () => {
    const { spaceId, first, revision } = await edited()
    expect(await kit.db.transaction((tx) => moveHead(tx, { spaceId, from: first, to: first, now }))).toBe(false)
    expect((await kit.as.admin.getSpaceById({ spaceId })).revision).toBe(revision)
    expect(await kit.db.transaction((tx) => moveHead(tx, { spaceId, from: revision, to: first, now }))).toBe(true)
  })

  test('so does a change request', async () => {
    const { spaceId, first, revision } = await edited()
    const { id, revision: head } = await kit.as.admin.createChangeRequest({ spaceId })
    const move = (from: string) =>
      kit.db.transaction((tx) => moveChangeRequest(tx, { id, from, revisionId: first, updatedAt: now }))
    expect(await move(first)).toBe(false)
    expect((await kit.as.admin.getChangeRequestById({ spaceId, changeRequestId: id })).revision).toBe(head)
    expect(head).toBe(revision)
    expect(await move(head)).toBe(true)
  })
})
