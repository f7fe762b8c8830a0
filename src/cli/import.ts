/** `lectern import`: a docs repository into a space, also while the server runs. */
import { defineCommand } from 'citty'
import { fail } from '../core/errors.ts'
import type { ImportProblem } from '../core/import/tree.ts'
import { actAs } from '../domain/act-as.ts'
import { printAll } from '../domain/content/markdown/print-ahead.ts'
import type { Imported } from '../domain/import/apply.ts'
import type { Tally } from '../domain/import/changes.ts'
import { ImportProblems, importRepository } from '../domain/import/commit.ts'
import { named } from '../domain/named.ts'
import type { Environment } from '../domain/scope.ts'
import type { Database } from '../store/database.ts'
import { countByStatus } from '../store/links.ts'
import { findSpace } from '../store/spaces.ts'
import { findUser, findUserByEmail, type UserRow } from '../store/users.ts'
import { listFolder } from './folder.ts'
import { CommandError } from './plain-errors.ts'
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
    ...remoteArgs,
    as: { type: 'string', description: 'E-mail address of whose work it is (default: who made the space).' },
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
        const base = await baseFor(db, env, { space: args.space, email: args.as })
        const space = await named(base, 'space', args.space, { ability: 'edit' })
        const options = { replace: args.replace === true, keep: args.keep === true, strict: args.strict === true }
        const imported = await importRepository(base, space, files, { ...options, steps: progress }).catch((error) => {
          if (error instanceof ImportProblems) refuse(error, args.json === true)
          throw error
        })
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

/** Sends the folder to a server. What only the database knows of is refused rather than forgotten. */
async function importRemotely(
  remote: Remote,
  args: {
    folder: string
    space: string
    json?: boolean
    replace?: boolean
    keep?: boolean
    as?: string
    strict?: boolean
  },
): Promise<void> {
  const local = (['replace', 'keep', 'as', 'strict'] as const).find((name) => args[name])
  if (local) throw new CommandError(`--${local} works on the database alone, not on a server.`)
  const result = await asked(
    remote,
    withArchive(args.folder, (form) => remote.client.importUpload({ spaceId: args.space, body: form })),
  )
  const { importedResources: imported, totalResources: total, revision } = result
  if (args.json) console.log(JSON.stringify({ space: args.space, ...result }))
  else console.log(`Imported ${imported} of ${total} pages and files.\nRevision ${revision}.\nServer ${remote.url}.`)
}

/** Tells what is wrong with the folder, and ends the command. */
function refuse({ message, problems }: ImportProblems, isJson: boolean): never {
  if (isJson) console.log(JSON.stringify({ problems }))
  throw new CommandError([...problems.map(spellProblem), message].join('\n'))
}

const spellProblem = ({ path, line, message }: ImportProblem): string =>
  `${path}${line === undefined ? '' : `:${line}`}: ${message}`

async function baseFor(db: Database, env: Environment, who: { space: string; email: string | undefined }) {
  const user = who.email === undefined ? await creatorOf(db, who.space) : await findUserByEmail(db, who.email)
  if (!user) throw fail('not_found', `There is no account with the e-mail address ${who.email}.`)
  return actAs({ db, env }, user, 'import')
}

async function creatorOf(db: Database, id: string): Promise<UserRow> {
  const space = await findSpace(db, { id })
  if (!space || space.deletedAt !== null) throw fail('not_found', `There is no space with the id ${id}.`)
  const user = await findUser(db, { id: space.createdBy })
  if (!user) throw new CommandError('Who made the space is gone. Say with --as whose work the import is.')
  return user
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
