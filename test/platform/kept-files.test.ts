/** Files that can be made again: found while they are young and fit, gone when they are old or too many. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCachedFiles } from '../../src/platform/cached-files.ts'

const hour = 60 * 60 * 1000
let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lectern-kept-')), 'books')
})

afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const age = (name: string, milliseconds: number): void => {
  const at = new Date(Date.now() - milliseconds)
  utimesSync(join(folder, name), at, at)
}

test('a file is found as it was written', async () => {
  const kept = openCachedFiles(folder)
  expect(await kept.find('a')).toBeUndefined()
  const path = await kept.put('a', Buffer.from('whole'))
  expect(await kept.find('a')).toBe(path)
  expect(readFileSync(path, 'utf8')).toBe('whole')
  expect(readdirSync(folder)).toEqual(['a'])
})

test('what nobody asked for within a day goes with the next file; asking keeps it', async () => {
  const kept = openCachedFiles(folder)
  for (const key of ['old', 'asked', 'young']) await kept.put(key, Buffer.from(key))
  age('old', 25 * hour)
  age('asked', 25 * hour)
  age('young', 23 * hour)
  await kept.find('asked')
  await kept.put('new', Buffer.from('new'))
  expect(readdirSync(folder).sort()).toEqual(['asked', 'new', 'young'])
})

test('when there is no room, the oldest go first', async () => {
  const kept = openCachedFiles(folder, { bytes: 25 })
  for (const [at, key] of ['first', 'second'].entries()) {
    await kept.put(key, Buffer.alloc(10))
    age(key, (2 - at) * hour)
  }
  await kept.put('third', Buffer.alloc(10))
  expect(readdirSync(folder).sort()).toEqual(['second', 'third'])
})

test('what a crash left half-written is no file, and goes; what is being written stays', async () => {
  const kept = openCachedFiles(folder)
  await kept.put('a', Buffer.from('a'))
  for (const name of ['b.1.part', 'c.2.part']) writeFileSync(join(folder, name), 'hal')
  age('b.1.part', hour)
  expect(await kept.find('b')).toBeUndefined()
  await kept.put('d', Buffer.from('d'))
  expect(existsSync(join(folder, 'b.1.part'))).toBe(false)
  expect(existsSync(join(folder, 'c.2.part'))).toBe(true)
})
