import { beforeAll, describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { formOf } from '../../kit/forms.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let spaceId = ''
  let pageId = ''

  const newSpace = async (pages: Record<string, string>) => {
    const id = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Docs' } })).id
    const changes = Object.entries(pages).map(([title, markdown]) => ({
      operation: 'insert_page' as const,
      title,
      document: { markdown },
    }))
    const result = await kit.as.admin.updateSpaceContent({ spaceId: id, body: { changes } })
    return {
      spaceId: id,
      pages: result.changes.map((change) => (typeof change.page === 'object' ? change.page.id : '')),
    }
  }
  const write = (where: { spaceId: string; changeRequestId?: string }, page: string, markdown: string) => {
    const body = { changes: [{ operation: 'update_page' as const, page, document: { markdown } }] }
    const { changeRequestId } = where
    return changeRequestId === undefined
      ? kit.as.edit.updateSpaceContent({ spaceId: where.spaceId, body })
      : kit.as.edit.updateChangeRequestContent({ spaceId: where.spaceId, changeRequestId, body })
  }
  const markdownOf = async (space: string, page: string) =>
    (await kit.as.read.getPageById({ spaceId: space, pageId: page })).markdown
  const propose = async (space: string, page: string, markdown: string) => {
    const { id } = await kit.as.edit.createChangeRequest({ spaceId: space, body: { subject: 'Edit' } })
    await write({ spaceId: space, changeRequestId: id }, page, markdown)
    return { spaceId: space, changeRequestId: id }
  }

  beforeAll(async () => {
    const made = await newSpace({ Page: 'one\n\ntwo\n\nthree' })
    spaceId = made.spaceId
    pageId = made.pages[0] ?? ''
  })

  const space = { params: () => ({ spaceId }) }
  const draft = async (k: Kit) => {
    const { id } = await k.as.edit.createChangeRequest({ spaceId, body: { subject: 'Draft' } })
    return { params: { spaceId, changeRequestId: id } }
  }
  const archived = async (k: Kit) => {
    const given = await draft(k)
    await k.as.edit.updateChangeRequestById({ ...given.params, body: { status: 'archived' } })
    return given
  }
  const merged = async (k: Kit) => {
    const given = await draft(k)
    await k.as.review.mergeChangeRequest(given.params)
    return given
  }

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createChangeRequest', {
    'needs a token':            { as: 'nobody', answers: 401 },
    'is hidden from strangers': { as: 'stranger', answers: 404 },
    'needs the right to edit':  { as: 'comment', answers: 403 },
    'takes no 101st character': { as: 'edit', body: { subject: 'x'.repeat(101) }, answers: 400, field: 'subject' },
    'makes a draft':            { as: 'edit', body: { subject: 'Better words' }, answers: 201, gives: { object: 'change-request', status: 'draft', subject: 'Better words', comments: 0, outdated: false } },
    'needs no body':            { as: 'edit', answers: 201, gives: { subject: '' } },
  }, space)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateChangeRequestById', {
    'needs a token':            { as: 'nobody', given: draft, answers: 401 },
    'is hidden from strangers': { as: 'stranger', given: draft, answers: 404 },
    'has no such number':       { as: 'edit', params: () => ({ spaceId, changeRequestId: '99999' }), answers: 404 },
    'needs the right to edit':  { as: 'comment', given: draft, answers: 403 },
    'merges only by merging':   { as: 'edit', given: draft, body: { status: 'merged' }, answers: 400, field: 'status' },
    'leaves merged ones alone': { as: 'edit', given: merged, answers: 409, code: 'change_request_closed' },
    'opens it':                 { as: 'edit', given: draft, answers: 200, gives: { status: 'open' } },
    'archives it':              { as: 'edit', given: draft, body: { status: 'archived' }, answers: 200, gives: { status: 'archived' } },
    'opens it again':           { as: 'edit', given: archived, answers: 200, gives: { status: 'open' } },
    'renames it':               { as: 'edit', given: draft, body: { subject: 'New' }, answers: 200, gives: { subject: 'New', status: 'draft' } },
  }, { body: { status: 'open' } })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'mergeChangeRequest', {
    'needs a token':             { as: 'nobody', given: draft, answers: 401 },
    'is hidden from strangers':  { as: 'stranger', given: draft, answers: 404 },
    'needs the right to review': { as: 'edit', given: draft, answers: 403 },
    'leaves archived ones':      { as: 'review', given: archived, answers: 409, code: 'change_request_closed' },
    'happens once':              { as: 'review', given: merged, answers: 409, code: 'change_request_closed' },
    'merges':                    { as: 'review', given: draft, answers: 200, gives: { result: 'merge' } },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'submitChangeRequestReview', {
    'needs a token':             { as: 'nobody', given: draft, answers: 401 },
    'is hidden from strangers':  { as: 'stranger', given: draft, answers: 404 },
    'needs the right to review': { as: 'edit', given: draft, answers: 403 },
    'takes no odd status':       { as: 'review', given: draft, body: { status: 'fine' }, answers: 400, field: 'status' },
    'leaves merged ones':        { as: 'review', given: merged, answers: 409, code: 'change_request_closed' },
    'approves':                  { as: 'review', given: draft, answers: 201, gives: { status: 'approved', outdated: false } },
  }, { body: { status: 'approved' } })

  describe('merging', () => {
    test('keeps the edits of both sides to different blocks and words', async () => {
      const made = await newSpace({ Page: 'The quick fox.\n\nSecond.\n\nThird.' })
      const page = made.pages[0] ?? ''
      const request = await propose(made.spaceId, page, 'The quick red fox.\n\nSecond.\n\nThird!')
      await write({ spaceId: made.spaceId }, page, 'The very quick fox.\n\nSecond?\n\nThird.')
      const before = await kit.as.edit.getChangeRequestById(request)
      expect(before.outdated).toBe(true)
      const result = await kit.as.review.mergeChangeRequest(request)
      expect(result.result).toBe('merge')
      expect(await markdownOf(made.spaceId, page)).toBe('# Page\n\nThe very quick red fox.\n\nSecond?\n\nThird!\n')
      const after = await kit.as.edit.getChangeRequestById(request)
      expect(after).toMatchObject({ status: 'merged', revisionMerged: result.revision, outdated: false })
      const revision = await kit.as.read.getCurrentRevision({ spaceId: made.spaceId })
      expect(revision).toMatchObject({
        id: result.revision,
        type: 'merge',
        mergedFrom: { id: request.changeRequestId },
      })
      expect((await kit.as.read.searchSpaceContent({ spaceId: made.spaceId, query: { query: 'red' } })).count).toBe(1)
    })

    test('of a true conflict moves nothing, keeps both versions, and waits for a decision', async () => {
      const made = await newSpace({ Page: 'The colour is green.' })
      const page = made.pages[0] ?? ''
      const request = await propose(made.spaceId, page, 'The colour is red.')
      await write({ spaceId: made.spaceId }, page, 'The colour is blue.')
      const head = (await kit.as.read.getSpaceById({ spaceId: made.spaceId })).revision
      const result = await kit.as.review.mergeChangeRequest(request)
      expect(result.result).toBe('conflicts')
      expect((await kit.as.read.getSpaceById({ spaceId: made.spaceId })).revision).toBe(head)
      const now = await kit.as.edit.getChangeRequestById(request)
      expect(now).toMatchObject({ revision: result.revision, revisionMergedAncestor: head, status: 'draft' })
      const both = await kit.as.edit.getPageInChangeRequestById({ ...request, pageId: page })
      expect(both.markdown).toContain('red')
      expect(both.markdown).toContain('blue')
      const { conflicts } = await kit.as.edit.getChangeRequestChanges(request)
      expect(conflicts).toMatchObject([{ page, kind: 'edit' }])
      expect((await kit.call('review', 'mergeChangeRequest', request)).body.error?.type).toBe('unresolved_conflicts')
      await write(request, page, 'The colour is violet.')
      expect((await kit.as.review.mergeChangeRequest(request)).result).toBe('merge')
      expect(await markdownOf(made.spaceId, page)).toBe('# Page\n\nThe colour is violet.\n')
    })

    test('an edit outlives a deletion, as a conflict', async () => {
      const made = await newSpace({ Kept: 'words', Other: 'x' })
      const page = made.pages[0] ?? ''
      const request = await propose(made.spaceId, page, 'better words')
      await kit.as.edit.updateSpaceContent({
        spaceId: made.spaceId,
        body: { changes: [{ operation: 'delete_page', page }] },
      })
      expect((await kit.as.review.mergeChangeRequest(request)).result).toBe('conflicts')
      expect((await kit.as.edit.getPageInChangeRequestById({ ...request, pageId: page })).markdown).toContain(
        'better words',
      )
    })

    test('a title that both sides changed is told, and main’s is kept', async () => {
      const made = await newSpace({ Page: 'words' })
      const page = made.pages[0] ?? ''
      const { id } = await kit.as.edit.createChangeRequest({ spaceId: made.spaceId })
      const request = { spaceId: made.spaceId, changeRequestId: id }
      const rename = (title: string) => ({ changes: [{ operation: 'update_page' as const, page, title }] })
      await kit.as.edit.updateChangeRequestContent({ ...request, body: rename('Theirs') })
      await kit.as.edit.updateSpaceContent({ spaceId: made.spaceId, body: rename('Ours') })
      expect((await kit.as.review.mergeChangeRequest(request)).result).toBe('conflicts')
      const { conflicts } = await kit.as.edit.getChangeRequestChanges(request)
      expect(conflicts?.map((conflict) => `${conflict.kind} ${conflict.field}`)).toEqual(['field title', 'field slug'])
      expect(conflicts?.[0]).toMatchObject({ page, ours: 'Ours', theirs: 'Theirs' })
      // Still told after main was brought in once more.
      await write({ spaceId: made.spaceId }, page, 'other words')
      await kit.as.edit.updateChangeRequest(request)
      expect((await kit.as.edit.getChangeRequestChanges(request)).conflicts).toEqual(conflicts)
      expect((await kit.as.review.mergeChangeRequest(request)).result).toBe('merge')
      expect((await kit.as.read.getPageById({ spaceId: made.spaceId, pageId: page })).title).toBe('Ours')
      // What is merged is decided.
      expect((await kit.as.edit.getChangeRequestChanges(request)).conflicts).toBeUndefined()
    })

    test('a field to which the version of the change request is given back is no conflict any more', async () => {
      const made = await newSpace({ Page: 'words' })
      const page = made.pages[0] ?? ''
      const { id } = await kit.as.edit.createChangeRequest({ spaceId: made.spaceId })
      const request = { spaceId: made.spaceId, changeRequestId: id }
      const rename = (title: string) => ({ changes: [{ operation: 'update_page' as const, page, title }] })
      await kit.as.edit.updateChangeRequestContent({ ...request, body: rename('Mine') })
      await kit.as.edit.updateSpaceContent({ spaceId: made.spaceId, body: rename('Theirs') })
      expect((await kit.as.review.mergeChangeRequest(request)).result).toBe('conflicts')
      await kit.as.edit.updateChangeRequestContent({ ...request, body: rename('Mine') })
      expect((await kit.as.edit.getChangeRequestChanges(request)).conflicts).toBeUndefined()
      expect((await kit.as.review.mergeChangeRequest(request)).result).toBe('merge')
      expect((await kit.as.read.getPageById({ spaceId: made.spaceId, pageId: page })).title).toBe('Mine')
    })

    test('updating brings main in', async () => {
      const made = await newSpace({ Page: 'a\n\nb' })
      const page = made.pages[0] ?? ''
      const request = await propose(made.spaceId, page, 'a!\n\nb')
      expect((await kit.as.edit.updateChangeRequest(request)).result).toBe('update')
      await write({ spaceId: made.spaceId }, page, 'a\n\nb!')
      expect((await kit.as.edit.updateChangeRequest(request)).result).toBe('update')
      expect((await kit.as.edit.getPageInChangeRequestById({ ...request, pageId: page })).markdown).toBe(
        '# Page\n\na!\n\nb!\n',
      )
      expect((await kit.as.edit.getChangeRequestById(request)).outdated).toBe(false)
      expect(await markdownOf(made.spaceId, page)).toBe('# Page\n\na\n\nb!\n')
    })

    test('a locked space changes by merging alone', async () => {
      const made = await newSpace({ Page: 'a' })
      const page = made.pages[0] ?? ''
      await kit.as.admin.updateSpaceById({ spaceId: made.spaceId, body: { editMode: 'locked' } })
      const request = await propose(made.spaceId, page, 'b')
      await kit.as.review.mergeChangeRequest(request)
      expect(await markdownOf(made.spaceId, page)).toBe('# Page\n\nb\n')
    })

    test('fifty at once of one page each land, none lost', async () => {
      const lines = Array.from({ length: 50 }, (_, i) => `Paragraph number ${i} has words.`)
      const made = await newSpace({ Page: lines.join('\n\n') })
      const page = made.pages[0] ?? ''
      const requests = []
      for (let i = 0; i < 50; i++) {
        const own = lines.map((line, n) => (n === i ? `${line} Edit ${i}.` : line))
        requests.push(await propose(made.spaceId, page, own.join('\n\n')))
      }
      const results = await Promise.all(requests.map((request) => kit.call('review', 'mergeChangeRequest', request)))
      expect(new Set(results.map((result) => `${result.status} ${result.body.result}`))).toEqual(new Set(['200 merge']))
      const markdown = (await markdownOf(made.spaceId, page)) ?? ''
      for (let i = 0; i < 50; i++) expect(markdown).toContain(`Paragraph number ${i} has words. Edit ${i}.`)
      // History is a line: from the newest back to the first by first parents, every merge once.
      let revision = await kit.as.read.getCurrentRevision({ spaceId: made.spaceId })
      let merges = 0
      while (revision.parents[0] !== undefined) {
        if (revision.type === 'merge') merges++
        revision = await kit.as.read.getRevisionById({ spaceId: made.spaceId, revisionId: revision.parents[0] })
      }
      expect(merges).toBe(50)
    })
  })

  describe('a write that comes again with its Idempotency-Key', () => {
    const changes = [{ operation: 'insert_page' as const, title: 'Once', document: { markdown: 'Once.' } }]

    test('is answered as it was, though what it changed would stop it now', async () => {
      const { spaceId, pages } = await newSpace({ Page: 'one' })
      const proposal = await propose(spaceId, pages[0] ?? '', 'two')
      const edit = () =>
        kit.call('edit', 'updateChangeRequestContent', { ...proposal, body: { changes }, idempotencyKey: 'edit' })
      const upload = (bytes = 'once') =>
        kit.call('edit', 'uploadFilesInChangeRequest', {
          ...proposal,
          body: formOf({ name: 'note.txt', bytes }),
          idempotencyKey: 'upload',
        })
      const merge = () => kit.call('review', 'mergeChangeRequest', { ...proposal, idempotencyKey: 'merge' })
      const write = () => kit.call('edit', 'updateSpaceContent', { spaceId, body: { changes }, idempotencyKey: 'main' })
      const firsts = [await edit(), await upload(), await merge(), await write()]
      expect(firsts.map(({ status }) => status)).toEqual([200, 201, 200, 200])
      await kit.as.admin.updateSpaceById({ spaceId, body: { editMode: 'locked' } })
      const { revision } = await kit.as.admin.getSpaceById({ spaceId })
      const again = [await edit(), await upload(), await merge(), await write()]
      expect(again.map(({ status, body }) => [status, body])).toEqual(firsts.map(({ status, body }) => [status, body]))
      expect((await upload('other')).status).toBe(422)
      expect((await kit.as.admin.getSpaceById({ spaceId })).revision).toBe(revision)
    })

    test('by many at the same moment is carried out once', async () => {
      const { spaceId, pages } = await newSpace({ Page: 'one' })
      const proposal = await propose(spaceId, pages[0] ?? '', 'two')
      const merges = Array.from({ length: 6 }, () =>
        kit.call('review', 'mergeChangeRequest', { ...proposal, idempotencyKey: 'together' }),
      )
      const answers = await Promise.all(merges)
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    })

    test('is no way past If-Match, which is looked at first', async () => {
      const { spaceId } = await newSpace({ Page: 'one' })
      const { revision } = await kit.as.admin.getSpaceById({ spaceId })
      const write = (ifMatch: string, idempotencyKey: string) =>
        kit.call('edit', 'updateSpaceContent', { spaceId, body: { changes }, ifMatch, idempotencyKey })
      expect((await write('"nonsense"', 'match')).status).toBe(412)
      const first = await write(`"${revision}"`, 'match')
      expect(first.status).toBe(200)
      // The revision has moved on by the first alone.
      expect(await write(`"${revision}"`, 'match')).toMatchObject({ status: 200, body: first.body })
    })
  })

  describe('numbers and counters', () => {
    test('grow from 1 without gaps or doubles, whoever asks at once', async () => {
      const made = await newSpace({ Page: 'x' })
      const all = await Promise.all(
        Array.from({ length: 30 }, () => kit.as.edit.createChangeRequest({ spaceId: made.spaceId })),
      )
      expect(all.map((one) => one.number).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
      const counts = async () => {
        const { changeRequests, changeRequestsOpen, changeRequestsDraft } = await kit.as.read.getSpaceById({
          spaceId: made.spaceId,
        })
        return [changeRequests, changeRequestsOpen, changeRequestsDraft]
      }
      expect(await counts()).toEqual([30, 0, 30])
      const byNumber = { spaceId: made.spaceId, changeRequestId: '7' }
      await kit.as.edit.updateChangeRequestById({ ...byNumber, body: { status: 'open' } })
      expect(await counts()).toEqual([30, 1, 29])
      await kit.as.review.mergeChangeRequest(byNumber)
      await kit.as.edit.updateChangeRequestById({
        spaceId: made.spaceId,
        changeRequestId: '8',
        body: { status: 'archived' },
      })
      expect(await counts()).toEqual([30, 0, 28])
      const listed = async (query: Record<string, unknown>) =>
        (await kit.as.read.listChangeRequestsForSpace({ spaceId: made.spaceId, query })).count
      expect(await listed({})).toBe(29)
      expect(await listed({ status: 'archived' })).toBe(1)
      expect(await listed({ status: 'merged' })).toBe(1)
      expect(await listed({ contributor: kit.people.edit.id })).toBe(29)
      expect(await listed({ contributor: kit.people.review.id })).toBe(0)
    })
  })

  test('reviewers are asked, answer, and their answers grow old', async () => {
    const request = await propose(spaceId, pageId, 'one\n\ntwo\n\nthree')
    const asked = await kit.as.edit.requestReviewersForChangeRequest({
      ...request,
      body: { users: [kit.people.review.id] },
    })
    expect(asked.items.map((item) => item.user.id)).toEqual([kit.people.review.id])
    expect((await kit.as.edit.getChangeRequestById(request)).status).toBe('open')
    await kit.as.review.submitChangeRequestReview({
      ...request,
      body: { status: 'changes-requested', comment: 'Please.' },
    })
    expect((await kit.as.edit.getRequestedReviewersByChangeRequestId(request)).count).toBe(0)
    await write(request, pageId, 'one\n\ntwo\n\nthree and more')
    const { items } = await kit.as.edit.getReviewsByChangeRequestId(request)
    expect(items).toMatchObject([{ status: 'changes-requested', comment: 'Please.', outdated: true }])
    const contributors = await kit.as.edit.getContributorsByChangeRequestId(request)
    expect(contributors.items.map((user) => user.id)).toEqual([kit.people.edit.id])
    expect(
      (
        await kit.call('edit', 'requestReviewersForChangeRequest', {
          ...request,
          body: { users: [kit.people.stranger.id] },
        })
      ).status,
    ).toBe(404)
  })

  test('only who can see a change request is asked to review it', async () => {
    const { id: parent } = await kit.as.admin.createCollection({
      organizationId: kit.organization,
      body: { title: 'Closed' },
    })
    const { id } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'In it', parent },
    })
    await kit.as.admin.updateCollectionById({ collectionId: parent, body: { defaultLevel: null } })
    const { id: changeRequestId } = await kit.as.admin.createChangeRequest({ spaceId: id })
    const request = { spaceId: id, changeRequestId }
    const ask = async (...users: string[]) =>
      (await kit.call('admin', 'requestReviewersForChangeRequest', { ...request, body: { users } })).status
    expect((await kit.call('review', 'getChangeRequestById', request)).status).toBe(404)
    expect(await ask(kit.people.admin.id, kit.people.review.id)).toBe(404)
    expect((await kit.as.admin.getRequestedReviewersByChangeRequestId(request)).count).toBe(0)
    await kit.as.admin.inviteToCollection({
      collectionId: parent,
      body: { users: [kit.people.review.id], role: 'review' },
    })
    expect((await kit.call('review', 'getChangeRequestById', request)).status).toBe(200)
    expect(await ask(kit.people.admin.id, kit.people.review.id)).toBe(200)
  })

  test('changes are told: created, edited, moved, deleted, in the order of the page tree', async () => {
    const made = await newSpace({ A: 'a', B: 'b', C: 'c' })
    const [a = '', b = '', c = ''] = made.pages
    const { id } = await kit.as.edit.createChangeRequest({ spaceId: made.spaceId })
    const request = { spaceId: made.spaceId, changeRequestId: id }
    await kit.as.edit.updateChangeRequestContent({
      ...request,
      body: {
        changes: [
          { operation: 'insert_page', title: 'D', document: { markdown: 'd' } },
          { operation: 'update_page', page: a, document: { markdown: 'a!' } },
          { operation: 'update_page', page: b, into: a },
          { operation: 'delete_page', page: c },
          { operation: 'insert_page', title: 'First', at: 0, document: { markdown: 'e' } },
          { operation: 'insert_page', title: 'Below', into: a, at: 0, document: { markdown: 'e' } },
        ],
      },
    })
    const { changes } = await kit.as.read.getChangeRequestChanges(request)
    expect(changes.map((change) => `${change.type} ${change.page?.title}`)).toEqual([
      'page_created First',
      'page_edited A',
      'page_created Below',
      'page_moved B',
      'page_deleted C',
      'page_created D',
    ])
    expect((await kit.as.read.getChangeRequestChanges({ ...request, query: { limit: 1 } })).more).toBe(5)
    // Main knows nothing of it.
    expect((await kit.as.read.listPages({ spaceId: made.spaceId })).pages.map((page) => page.title)).toEqual([
      'A',
      'B',
      'C',
    ])
    expect((await kit.as.read.searchSpaceContent({ spaceId: made.spaceId, query: { query: 'd' } })).count).toBe(0)
  })

  test('what changed inside a page is told block by block, word by word', async () => {
    const made = await newSpace({ Page: 'The colour is red.\n\nStays.\n\nFar.\n\n* One\n* Two' })
    const page = made.pages[0] ?? ''
    const request = await propose(made.spaceId, page, 'The colour is blue.\n\nStays.\n\nFar.\n\n* One\n* Two\n\nNew.')
    const plain = await kit.as.read.getChangeRequestChanges(request)
    expect(plain.changes[0]).not.toHaveProperty('blocks')
    const { changes } = await kit.as.read.getChangeRequestChanges({ ...request, query: { blocks: true } })
    const [paragraph, stays, far, list, added] = changes[0]?.blocks ?? []
    expect(paragraph).toMatchObject({ kind: 'changed', type: 'paragraph' })
    expect(paragraph?.words?.map(({ kind, text }) => [kind, text])).toEqual([
      ['same', 'The colour is '],
      ['removed', 'red'],
      ['added', 'blue'],
      ['same', '.'],
    ])
    // What stayed is told by its key, with its words where it stands beside a change.
    expect(stays).toMatchObject({ kind: 'same', after: { nodes: [{ leaves: [{ text: 'Stays.' }] }] } })
    expect(far).toEqual({ kind: 'same', type: 'paragraph', key: expect.any(String) })
    expect(list).toEqual({ kind: 'same', type: 'list-unordered', key: expect.any(String) })
    expect(added).toMatchObject({ kind: 'added', type: 'paragraph', after: { object: 'block' } })
    const merged = await kit.as.review.mergeChangeRequest(request)
    const main = await kit.as.read.getRevisionChanges({
      spaceId: made.spaceId,
      revisionId: merged.revision,
      query: { blocks: true },
    })
    expect(main.changes[0]?.blocks).toEqual(changes[0]?.blocks)
    expect(main.mergedFrom).toMatchObject({
      id: request.changeRequestId,
      status: 'merged',
      revisionMerged: merged.revision,
    })
  })

  test('the organization sees its open ones, and its admins what happened', async () => {
    const request = await propose(spaceId, pageId, 'one\n\ntwo\n\nthree!')
    await kit.as.edit.updateChangeRequestById({ ...request, body: { status: 'open' } })
    const { items } = await kit.as.read.listChangeRequestsForOrganization({ organizationId: kit.organization })
    expect(items.map((item) => item.id)).toContain(request.changeRequestId)
    expect(items.every((item) => item.status === 'open')).toBe(true)
    const events = await kit.as.admin.listOrganizationAuditEvents({
      organizationId: kit.organization,
      query: { target: request.changeRequestId, limit: 100 },
    })
    expect(events.items.map((event) => event.action)).toEqual([
      'change_request_updated',
      'change_request_content_updated',
      'change_request_created',
    ])
    expect((await kit.call('create', 'listOrganizationAuditEvents', { organizationId: kit.organization })).status).toBe(
      403,
    )
  })
})
