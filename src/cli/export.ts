/** `lectern export`: a space as a docs repository. */
import { defineCommand } from 'citty'
import { fail } from '../core/errors.ts'
import { revisionOf } from '../domain/content/at.ts'
import { exportRepository } from '../domain/repository/export.ts'
import { readContent } from '../store/content.ts'
import { findSpace } from '../store/spaces.ts'
import { openFolder } from './folder.ts'
import { makeProgress } from './progress.ts'
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
    json: { type: 'boolean', description: 'Print JSON, and no progress.' },
  },
  async run({ args }) {
    const progress = makeProgress({ quiet: args.json === true })
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
