/** Pages for the tests of the editor: made, and read back as Markdown. */
import type { Client } from '../../../src/client/client.ts'

export async function makePage(
  client: Client,
  { spaceId, title = 'Page', markdown }: { spaceId: string; title?: string; markdown: string },
): Promise<string> {
  const { changes } = await client.updateSpaceContent({
    spaceId,
    body: { changes: [{ operation: 'insert_page', title, document: { markdown } }] },
  })
  const [change] = changes
  if (change?.object !== 'created_page') throw new Error('No page was made.')
  return change.page.id
}

export async function readMarkdown(client: Client, params: { spaceId: string; pageId: string }): Promise<string> {
  const page = await client.getPageById({ ...params, query: { format: 'markdown' } })
  return 'markdown' in page ? String(page.markdown) : ''
}
