/** Where hosts show and edit the files of repositories. */
import { expect, test } from 'vitest'
import { editUrlOf, hostOfRepository } from '../../../src/core/repository/hosts.ts'

test.each([
  ['https://github.com/lectern/docs.git', 'https://github.com/lectern/docs/edit/main/a%20b/c.md', 'lectern/docs'],
  ['https://gitlab.com/group/sub/docs', 'https://gitlab.com/group/sub/docs/-/edit/main/a%20b/c.md', 'group/sub/docs'],
])('%s', (url, edit, name) => {
  const place = hostOfRepository({ url, ref: 'refs/heads/main' })
  expect(place.name).toBe(name)
  expect(editUrlOf({ treeUrl: place.treeUrl ?? '', provider: place.provider }, 'a b/c.md')).toBe(edit)
})

test('hosts that are not known have addresses when they are said', () => {
  const url = 'https://git.example.org/docs.git'
  expect(hostOfRepository({ url, ref: 'main' })).toMatchObject({ name: 'docs', treeUrl: undefined })
  const given = hostOfRepository({ url, ref: 'main', provider: 'gitlab', pageUrl: 'https://git.example.org/docs/' })
  expect(given).toMatchObject({
    treeUrl: 'https://git.example.org/docs/-/blob/main',
    commitUrl: 'https://git.example.org/docs/-/commit',
  })
  const { treeUrl } = hostOfRepository({
    url: '/srv/git/docs.git',
    ref: 'main',
    treeUrl: 'https://x.example/tree/main/',
  })
  expect(editUrlOf({ treeUrl: treeUrl ?? '' }, 'c.md')).toBe('https://x.example/tree/main/c.md')
})
