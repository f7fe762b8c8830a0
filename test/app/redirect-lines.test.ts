/** Redirects as they are pasted. */
import { expect, test } from 'vitest'
import { isCircle, readLines, sourceIn } from '../../src/app/sites/redirects/lines.ts'

const root = 'https://docs.example.org/kb'
const read = (line: string) => readLines(line, root).redirects[0]?.redirect

test.each([
  ['/a /b', '/a', { kind: 'path', path: '/b' }],
  ['/a\t/b c', '/a', undefined],
  ['/a,/b', '/a', { kind: 'path', path: '/b' }],
  ['"/a";"/b"', '/a', { kind: 'path', path: '/b' }],
  ['  /a  ->  /b  ', '/a', { kind: 'path', path: '/b' }],
  ['/a → /b#part', '/a', { kind: 'path', path: '/b#part' }],
  ['a https://example.org/?x=1,2', '/a', { kind: 'external', url: 'https://example.org/?x=1,2' }],
  ['https://old.example.org/x/y?z=1 /b', '/x/y', { kind: 'path', path: '/b' }],
  [`${root}/x ${root}/y?z=1`, '/x', { kind: 'path', path: '/y?z=1' }],
  ['/a https://docs.example.org/other', '/a', { kind: 'external', url: 'https://docs.example.org/other' }],
  [`/a ${root}`, '/a', { kind: 'path', path: '/' }],
])('%j is a redirect from %j', (line, source, destination) => {
  const found = read(line)
  expect(found && { source: found.source, destination: found.destination }).toEqual(
    destination && { source, destination },
  )
})

test('a star takes all below along, and a status says whether it is for ever', () => {
  expect(read('/old/* /new/:splat 301')).toEqual({
    source: '/old',
    destination: { kind: 'path', path: '/new' },
    captureWildcard: true,
    permanent: true,
  })
  expect(read('/old/* /* 302!')).toMatchObject({ destination: { path: '/' }, captureWildcard: true, permanent: false })
})

test('lines that are none are told by their numbers, comments and empty ones left out', () => {
  const { redirects, wrong } = readLines('# old new\n\n/a /b\r\n/c\n// note\n/d d\n/e?f /g\n/h /h/\n/* /i', root)
  expect(redirects.map(({ line }) => line)).toEqual([3])
  expect(wrong.map(({ line, problem }) => [line, problem])).toEqual([
    [4, 'fields'],
    [6, 'destination'],
    [7, 'source'],
    [8, 'circle'],
    [9, 'source'],
  ])
})

test('a path that reads as another host is none, and circles are seen through their spelling', () => {
  expect(read('/a //evil.example')).toBeUndefined()
  expect(sourceIn('/a b', root)).toBeUndefined()
  const to = (path: string, captureWildcard = false) =>
    isCircle({ source: '/über', destination: { kind: 'path', path }, captureWildcard })
  expect([to('/%C3%BCber'), to('/über?x'), to('/über/x'), to('/über/x', true), to('/überall', true)]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
})
