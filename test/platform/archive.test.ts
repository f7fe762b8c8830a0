/** Archives that mean harm: each is refused, or the entry of it, in a sentence. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import yazl from 'yazl'
import { openArchive } from '../../src/platform/imports/archive.ts'
import { collect, zip } from '../jobs/import-fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limits = { entries: 100, bytes: 10 * 1024 * 1024, entryBytes: 5 * 1024 * 1024 }
let serial = 0
const openBytes = (bytes: Buffer, some: Partial<typeof limits> = {}) => {
  const file = join(folder, `${serial++}.zip`)
  writeFileSync(file, bytes)
  return openArchive(file, { ...limits, ...some })
}
/** The same archive with one text in place of another of the same length, in both its headers. */
const patched = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

describe('an archive is refused', () => {
  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    ['that is none', async () => Buffer.from('PK and nothing'), /no zip archive/],
    [
      'whose names lead out',
      async () => patched(await zip({ 'aaaaevil.md': 'x' }), 'aaaaevil', '../aevil'),
      /invalid relative path/,
    ],
    ['with an absolute name', async () => patched(await zip({ 'aevil.md': 'x' }), 'aevil', '/evil'), /absolute path/],
    [
      'with a backslash',
      async () => patched(await zip({ 'a.evil.md': 'x' }), 'a.evil', 'a\\evil'),
      /invalid characters/,
    ],
    [
      'of too many entries',
      () => zip(Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`${at}.md`, 'x']))),
      /120 entries/,
    ],
    ['that grows too much', () => zip({ 'zeros.md': Buffer.alloc(4 * 1024 * 1024) }), /more than 100 times/],
    [
      'that is too large',
      () => zip(Object.fromEntries([1, 2, 3].map((at) => [`${at}.bin`, noise(4 * 1024 * 1024)]))),
      /larger than 10 MiB/,
    ],
    ['whose entries share bytes', overlapping, /share their bytes/],
    ['that is cut off', async () => (await zip({ 'a.md': 'words' })).subarray(0, 40), /no zip archive/],
  ]
  for (const [name, make, sentence] of cases)
    test(name, async () => {
      await expect(make().then((bytes) => openBytes(bytes))).rejects.toThrow(sentence)
    })
})

describe('an entry is left out', () => {
  const left = async (bytes: Buffer): Promise<string[]> => {
    const archive = await openBytes(bytes)
    archive.close()
    return [
      ...archive.entries.map(({ path }) => path),
      ...archive.refused.map(({ path, message }) => `${path}: ${message}`),
    ]
  }

  test('that is a link or a device', async () => {
    const archive = new yazl.ZipFile()
    archive.addBuffer(Buffer.from('/etc/passwd'), 'link.md', { mode: 0o120777 })
    archive.addBuffer(Buffer.from(''), 'device', { mode: 0o020666 })
    archive.addBuffer(Buffer.from('fine'), 'fine.md', { mode: 0o100644 })
    archive.end()
    const message = 'It is a link or a device, not a file.'
    expect(await left(await collect(archive.outputStream))).toEqual([
      'fine.md',
      `link.md: ${message}`,
      `device: ${message}`,
    ])
  })

  test('that is encrypted', async () => {
    const bytes = await zip({ 'secret.md': 'x' })
    const at = bytes.indexOf(Buffer.from('504b0102', 'hex'))
    bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) | 1, at + 8)
    expect(await left(bytes)).toEqual(['secret.md: It is encrypted.'])
  })

  test('whose name is taken, whatever its case', async () => {
    const bytes = await zip({ 'Same.md': 'one', 'same.md': 'two' })
    expect(await left(bytes)).toEqual(['Same.md', 'same.md: Another entry has the same name.'])
  })
})

test('an entry that says less than it holds is cut off', async () => {
  const bytes = await zip({ 'a.md': Buffer.alloc(5000, 'abc') })
  const at = bytes.indexOf(Buffer.from('504b0102', 'hex'))
  bytes.writeUInt32LE(10, at + 24)
  const archive = await openBytes(bytes)
  const read = async (): Promise<void> => {
    for await (const _ of archive.entries[0]?.open() ?? []);
  }
  await expect(read()).rejects.toThrow(/a\.md cannot be unpacked/)
  archive.close()
})

/** Bytes that do not shrink. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let state = 1
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return bytes
}

/** Two entries of the list that name the same bytes. */
async function overlapping(): Promise<Buffer> {
  const bytes = await zip({ 'a.md': 'the same words', 'b.md': 'the same words' })
  const second = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'))
  bytes.writeUInt32LE(0, second + 42)
  return bytes
}
