/** `lectern check --content` finds what does not agree. */
import { expect, test } from 'vitest'
import { findContentProblems } from '../../src/domain/content/check.ts'
import { findSpace } from '../../src/store/content/spaces.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  const problemsOf = async (spaceId: string): Promise<string[]> => {
    const space = await findSpace(kit.db, { id: spaceId })
    if (!space) throw new Error('The space is gone.')
    return findContentProblems({ db: kit.db, blobs: kit.env.blobs, space, appUrl: kit.env.urls.app, deep: true })
  }

  const broken = async (sql: string): Promise<string[]> => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Whole' },
    })
    const { changes } = await kit.as.admin.updateSpaceContent({
      spaceId,
      body: {
        changes: [
          { operation: 'insert_page', title: 'One', ref: 'one', document: { markdown: '## Part\n\nWords.' } },
          { operation: 'insert_page', title: 'Two', document: { markdown: 'See [one](one) and [nothing](nowhere).' } },
        ],
      },
    })
    expect(changes).toHaveLength(2)
    const request = await kit.as.admin.createChangeRequest({ spaceId })
    await kit.as.admin.updateChangeRequestContent({
      spaceId,
      changeRequestId: request.id,
      body: { changes: [{ operation: 'insert_page', title: 'Three', document: { markdown: 'More.' } }] },
    })
    expect(await problemsOf(spaceId)).toEqual([])
    await kit.db.run({ sql: sql.replaceAll('SPACE', spaceId), name: '' }, [])
    return (await problemsOf(spaceId)).map((problem) => problem.replace(`Space ${spaceId}: `, ''))
  }

  test('a link that is gone', async () => {
    expect(await broken(`delete from "linkSpace" where "spaceId" = 'SPACE'`)).toEqual([
      expect.stringMatching(/^the links of the page \w+ do not fit it\.$/),
    ])
  })

  test('a page that the search has another text of, and one that it does not find', async () => {
    expect(
      await broken(`update "searchPage" set "title" = 'Other' where "spaceId" = 'SPACE' and "title" = 'One'`),
    ).toEqual([expect.stringMatching(/^the search has another text of the page \w+\.$/)])
    expect(await broken(`delete from "searchPage" where "spaceId" = 'SPACE' and "title" = 'One'`)).toEqual([
      expect.stringMatching(/^the search does not find the page \w+\.$/),
      expect.stringMatching(/^the search knows the words of \d+ sections and the text of \d+\.$/),
    ])
  })

  test('a revision that is gone', async () => {
    const found = await broken(
      `update "changeRequest" set "revisionId" = (select "revisionId" from "space" where "id" <> 'SPACE' limit 1) where "spaceId" = 'SPACE'`,
    )
    expect(found).toEqual([expect.stringMatching(/^change request 1: the revision \w+ is missing\.$/)])
  })
})
