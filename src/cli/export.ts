/** `lectern export`: a space as a docs repository, from a server or from the database. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand } from 'citty'
import { fail } from '../core/errors.ts'
import { revisionOf } from '../domain/content/at.ts'
import { exportRepository } from '../domain/repository/export.ts'
import { ArchiveError, openArchive } from '../platform/imports/archive.ts'
import { readContent } from '../store/content/content.ts'
import { findSpace } from '../store/content/spaces.ts'
import { type FolderWriter, openFolder } from './folder.ts'
import { CommandError } from './plain-errors.ts'
import { makeProgress, type Progress } from './progress.ts'
import { addressAt, asked, findRemote, type Remote, remoteArgs } from './remote.ts'
import { nameOfDatabase, withStore } from './with-store.ts'

export const exportCommand = defineCommand({
  meta: {
    name: 'export',
    description:
      'Write a space into a folder: SUMMARY.md, a Markdown file for each page, and the files beside them. What was imported goes back to where it came from.',
  },
  args: {
    folder: { type: 'positional', required: true, description: 'The folder; made when it is missing.' },
    space: { type: 'string', required: true, description: 'Id of the space.' },
    force: {
      type: 'boolean',
      description: 'Write into a folder that is not empty: files of the same name are replaced.',
    },
    ...remoteArgs,
    json: { type: 'boolean', description: 'Print JSON, and no progress.' },
  },
  async run({ args }) {
    const progress = makeProgress({ quiet: args.json === true })
    const remote = findRemote(args)
    if (remote) return exportRemotely(remote, { ...args, progress })
    await withStore(
      async ({ db, blobs, config }) => {
        const space = await findSpace(db, { id: args.space })
        if (!space || space.deletedAt !== null) throw fail('not_found', `There is no space with the id ${args.space}.`)
        const revision = await revisionOf(db, space.id, space.revisionId)
        const exported = await exportRepository({ db, reader: readContent(db), blobs }, revision.content)
        const folder = await openFolder(args.folder, { force: args.force === true })
        const counts = { page: 0, file: 0, other: 0 }
        progress.begin('Writing', exported.count)
        for await (const { path, kind, content } of exported.files) {
          await folder.write(path, content)
          counts[kind]++
          progress.advance(1)
        }
        progress.end()
        const result = { space: space.id, revision: revision.id, pages: counts.page, files: counts.file }
        if (args.json) console.log(JSON.stringify({ folder: args.folder, ...result }))
        else
          console.log(
            `Exported ${space.title}: ${result.pages} pages and ${result.files} files, to ${args.folder}, from ${nameOfDatabase(config)}.`,
          )
      },
      { mustExist: true },
    )
  },
})

/** The server sends the files as one archive, which is unpacked here with the care that any archive asks for. */
async function exportRemotely(
  remote: Remote,
  args: { folder: string; space: string; force?: boolean; json?: boolean; progress: Progress },
): Promise<void> {
  const { url, revision } = await asked(remote, remote.client.exportContent({ spaceId: args.space }))
  const folder = await openFolder(args.folder, { force: args.force === true })
  const temporary = await mkdtemp(join(tmpdir(), 'lectern-archive-'))
  try {
    const file = join(temporary, 'docs.zip')
    await asked(remote, download(addressAt(remote, url), file, args.progress))
    const written = await unpack(file, folder, args.progress)
    args.progress.end()
    if (args.json) console.log(JSON.stringify({ folder: args.folder, space: args.space, revision, written }))
    else console.log(`Exported ${written} files, to ${args.folder}, from ${remote.url}.`)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function download(url: string, file: string, progress: Progress): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30 * 60_000) })
  if (!response.ok || !response.body) throw new CommandError(`The server answered ${response.status}.`)
  progress.begin('Bytes', undefined)
  const counted = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of body) {
      progress.advance(part.length)
      yield part
    }
  }
  try {
    await pipeline(Readable.fromWeb(response.body), counted, createWriteStream(file))
  } catch {
    throw new CommandError('The connection broke off. Nothing was written.')
  }
}

/** As much as a space may hold, and files that pack very well: whose server it is, one knows. */
const limits = { entries: 500_000, bytes: 1024 ** 4, entryBytes: 1024 ** 3, ratio: 100_000 }

async function unpack(file: string, folder: FolderWriter, progress: Progress): Promise<number> {
  const archive = await openArchive(file, limits).catch((error: unknown) => {
    throw error instanceof ArchiveError ? new CommandError(error.message) : error
  })
  try {
    const [refused] = archive.refused
    if (refused) throw new CommandError(`${refused.path}: ${refused.message}`)
    progress.begin('Writing', archive.entries.length)
    for (const { path, open } of archive.entries) {
      await folder.write(path, open())
      progress.advance(1)
    }
    return archive.entries.length
  } finally {
    archive.close()
  }
}
