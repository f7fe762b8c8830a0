/** Pages of published sites, as readers get them over a real connection. */
import { describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { publishedSite } from './site-kit.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  describe('a page', () => {
    test('is there', async () => {
      const { ask } = await publishedSite(kit, [
        { title: 'Start', markdown: 'Welcome, **reader**.' },
        { title: 'Install', markdown: '## Steps\n\nRun it.' },
      ])
      const first = await ask('')
      expect(first.status).toBe(200)
      expect((await ask('/install')).status).toBe(200)
    })
  })
})
