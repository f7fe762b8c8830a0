/** `lectern import`: a folder of docs into a space, on a server or on the database, also while the server runs. */
import { defineCommand } from 'citty'
import { folderOrigin } from '../core/import/origins.ts'
import { actAs } from '../domain/act-as.ts'
import { printAll } from '../domain/content/markdown/print-ahead.ts'
import type { Imported, Removing } from '../domain/import/apply.ts'
import type { Tally } from '../domain/import/changes.ts'
import { importRepository } from '../domain/import/commit.ts'
import { named } from '../domain/named.ts'
import { countByStatus } from '../store/content/links.ts'
import { asArg, personForSpace } from './acting.ts'
import { listFolder, nameOfFolder } from './folder.ts'
import { CommandError } from './plain-errors.ts'
import { refuseProblems, spellFailure, spellProblem } from './problems.ts'
import { makeProgress } from './progress.ts'
import { asked, findRemote, type Remote, remoteArgs, withArchive } from './remote.ts'
import { nameOfDatabase, withStore } from './with-store.ts'

export const importCommand = defineCommand({
  meta: {
    name: 'import',
    description:
      'Bring a folder of Markdown into a space: with a SUMMARY.md, or folders as they are. Importing it again updates the pages that came from it, and removes those whose files are gone.',
  },
  args: {
    folder: { type: 'positional', required: true, description: 'The folder.' },
    space: { type: 'string', required: true, description: 'Id of the space.' },
    replace: {
      type: 'boolean',
      description: 'Remove all that the space holds and the folder does not, also pages made by hand.',
    },
    keep: { type: 'boolean', description: 'Keep pages of an earlier import whose files are gone from the folder.' },
    origin: {
      type: 'string',
      description: 'What the folder is known as when it comes again (its name); another keeps two folders apart.',
    },
    ...remoteArgs,
    ...asArg,
    strict: { type: 'boolean', description: 'Import nothing, and exit with 1, when the folder has problems.' },
    json: { type: 'boolean', description: 'Print JSON, and no progress.' },
  },
  async run({ args }) {
    const remote = findRemote(args)
    if (remote) return importRemotely(remote, args)
    const files = await listFolder(args.folder)
    const progress = makeProgress({ quiet: args.json === true })
    await withStore(
      async ({ db, env, config }) => {
        const user = await personForSpace(db, { space: args.space, email: args.as })
        const base = actAs({ db, env }, user, 'import')
        const space = await named(base, 'space', args.space, { ability: 'edit' })
        const imported = await importRepository(base, { space: space.id }, files, {
          remove: removalOf(args),
          strict: args.strict === true,
          steps: progress,
          origin: folderOrigin(args.origin ?? nameOfFolder(args.folder)),
          isOriginGiven: args.origin !== undefined,
        }).catch((error) => refuseProblems(error, args))
        await printAll(db)
        progress.end()
        const links = await countByStatus(db, space.id)
        if (args.json) console.log(JSON.stringify({ space: space.id, ...imported, links }))
        else console.log(`${summaryOf(imported, links, space.title)}\nDatabase ${nameOfDatabase(config)}.`)
      },
      { mustExist: true },
    )
  },
})

const removalOf = ({ replace, keep }: { replace?: boolean; keep?: boolean }): Removing =>
  replace ? 'all' : keep ? 'none' : 'own'

interface ImportArgs {
  folder: string
  space: string
  json?: boolean
  replace?: boolean
  keep?: boolean
  as?: string
  strict?: boolean
  origin?: string
}

/** Sends the folder to a server, with all that was said of it. Whose work it is, the token says. */
async function importRemotely(remote: Remote, args: ImportArgs): Promise<void> {
  if (args.as !== undefined)
    throw new CommandError('--as works on the database alone: on a server, the token says whose work it is.')
  const query = { remove: removalOf(args), strict: args.strict === true, origin: args.origin }
  const result = await asked(
    remote,
    withArchive(args.folder, (form) => remote.client.importUpload({ spaceId: args.space, query, body: form })).catch(
      (error) => refuseProblems(error, args),
    ),
  )
  if (args.json) {
    console.log(JSON.stringify({ space: args.space, ...result }))
    return
  }
  const { importedResources: imported, totalResources: total, revision, failures } = result
  const lines = [
    ...failures.map(spellFailure),
    `Imported ${imported} of ${total} pages and files.`,
    `Revision ${revision}.`,
    `Server ${remote.url}.`,
  ]
  console.log(lines.join('\n'))
}

function summaryOf(
  imported: Imported & { revision: string },
  links: { total: number; broken: number },
  title: string,
): string {
  const { pages, groups, linkPages, files, reusable, unlisted, skipped, problems } = imported
  const parts = [
    amount(pages, 'page'),
    ...(isNone(groups) ? [] : [amount(groups, 'group')]),
    ...(isNone(linkPages) ? [] : [amount(linkPages, 'link')]),
    amount(files, 'file'),
  ]
  const lines = [
    ...problems.map(spellProblem),
    `Imported into ${title}: ${parts.join('; ')}.`,
    ...(isNone(reusable) ? [] : [`Reusable contents: ${amount(reusable, 'content')}.`]),
    ...(unlisted === 0 ? [] : [`${count(unlisted, 'page')} not in SUMMARY.md, hidden.`]),
    `${count(links.total, 'link')}, ${links.broken} of them broken.`,
    ...(skipped.length === 0 ? [] : [`Left out, as no part of the docs: ${listed(skipped)}.`]),
    `Revision ${imported.revision}.`,
  ]
  return lines.join('\n')
}

const isNone = ({ added, changed, removed, unchanged }: Tally): boolean => added + changed + removed + unchanged === 0

function amount({ added, changed, removed, unchanged }: Tally, name: string): string {
  const parts = [
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(removed === 0 ? [] : [`${removed} removed`]),
    ...(unchanged === 0 ? [] : [`${unchanged} as before`]),
  ]
  return [`${count(added, name)} added`, ...parts].join(', ')
}

const count = (n: number, name: string): string => `${n.toLocaleString('en')} ${name}${n === 1 ? '' : 's'}`

const listed = (paths: readonly string[]): string =>
  paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more`
