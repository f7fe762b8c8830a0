/** The built server: what it loads only when it is needed, it finds. Tests from the sources cannot tell. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startProcess } from '../faults/process.ts'
import { backends } from '../kit/backends.ts'

it('fetches, tells types, and reads long pages in a thread', { timeout: 120_000 }, async () => {
  const [sqlite] = backends.filter(({ name }) => name === 'sqlite')
  const place = await (sqlite ?? backends[0])?.make({ migrated: false })
  if (!place) throw new Error('There is no database to try.')
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const far = createServer((_, response) => response.end(png)).listen(0, '127.0.0.1')
  await new Promise((resolve) => far.once('listening', resolve))
  const { port } = far.address() as AddressInfo
  const server = await startProcess({ ...place, env: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  try {
    const client = server.client()
    const { items } = await client.listOrganizationsForAuthenticatedUser({})
    const space = await client.createSpace({ organizationId: items[0]?.id ?? '', body: { title: 'Built' } })
    const markdown = `# Long\n\n${'Some **bold** words and a list:\n\n* one\n* two\n\n'.repeat(1500)}`
    const edited = await client.updateSpaceContent({
      spaceId: space.id,
      body: {
        changes: [
          { operation: 'insert_files', files: [{ name: 'far', url: `http://127.0.0.1:${port}/x` }] },
          { operation: 'insert_page', title: 'Long', document: { markdown } },
        ],
      },
    })
    expect(edited.insertedFiles[0]?.file).toMatchObject({ contentType: 'image/png', dimensions: { width: 1 } })
    const [change] = edited.changes
    const pageId = change && typeof change.page !== 'string' ? change.page.id : ''
    expect((await client.getPageById({ spaceId: space.id, pageId })).markdown?.trim()).toBe(markdown.trim())
  } finally {
    await server.end('SIGTERM')
    far.close()
    await place.drop()
  }
})
