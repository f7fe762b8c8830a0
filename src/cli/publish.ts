/** `lectern publish`: a folder of Markdown becomes a site, or the preview of one, on a server or on the database. */
import { defineCommand } from 'citty'
import { type Client, makeClient } from '../client/client.ts'
import { inProcessTransport } from '../client/in-process.ts'
import { walk } from '../client/walk.ts'
import { folderOrigin } from '../core/import/origins.ts'
import { actAs, jobActor } from '../domain/act-as.ts'
import { printAll } from '../domain/content/markdown/print-ahead.ts'
import { noSteps } from '../domain/import/apply.ts'
import { importRepository } from '../domain/import/commit.ts'
import { makeRunners } from '../http/api/runners.ts'
import { WriteQueue } from '../http/edge/overload.ts'
import { asArg, personForOrganization, personForSpace } from './acting.ts'
import { listFolder, nameOfFolder } from './folder.ts'
import { CommandError } from './plain-errors.ts'
import { refuseProblems, spellFailure, spellProblem } from './problems.ts'
import { asked, findRemote, type Remote, remoteArgs, withArchive } from './remote.ts'
import { nameOfDatabase, withStore } from './with-store.ts'

export const publish = defineCommand({
  meta: {
    name: 'publish',
    description:
      'Publish a folder of Markdown: makes the space and the site of that name, or updates them, and prints the address.',
  },
  args: {
    folder: { type: 'positional', required: true, description: 'The folder.' },
    ...remoteArgs,
    ...asArg,
    title: { type: 'string', description: 'Title of the space and the site (the name of the folder).' },
    space: { type: 'string', description: 'Id of the space, where it is another than the one of that title.' },
    organization: { type: 'string', description: 'Id of the organization, for those who are in several.' },
    preview: { type: 'boolean', description: 'Open a change request instead, and print the address of its preview.' },
    strict: { type: 'boolean', description: 'Publish nothing, and exit with 1, when the folder has problems.' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  async run({ args }) {
    const remote = findRemote(args)
    const result = await (remote ? publishRemotely(remote, args) : publishHere(args))
    // The address alone goes to standard output, for scripts.
    if (!args.json) for (const line of result.problemLines) console.error(line)
    const { problemLines, ...printed } = result
    console.log(args.json ? JSON.stringify(printed) : result.url)
  },
})

interface PublishArgs {
  folder: string
  title?: string
  space?: string
  organization?: string
  preview?: boolean
  strict?: boolean
  json?: boolean
  as?: string
}

/** Who makes what is missing, and how the folder comes in. */
interface Publishing {
  client: Client
  bringIn: (target: { space: string; changeRequest?: string }) => Promise<{
    revision: string
    /** What was wrong with the folder, a line each. */
    problemLines: string[]
  }>
}

async function publishRemotely(remote: Remote, args: PublishArgs) {
  if (args.as !== undefined)
    throw new CommandError('--as works on the database alone: on a server, the token says whose work it is.')
  const { client } = remote
  return asked(
    remote,
    withArchive(args.folder, (body) =>
      publishFolder(args, {
        client,
        bringIn: async ({ space: spaceId, changeRequest: changeRequestId }) => {
          const asked = { query: { strict: args.strict === true }, body }
          const imported = await (changeRequestId === undefined
            ? client.importUpload({ spaceId, ...asked })
            : client.importUploadInChangeRequest({ spaceId, changeRequestId, ...asked }))
          return { ...imported, problemLines: imported.failures.map(spellFailure) }
        },
      }),
    ).catch((error) => refuseProblems(error, args)),
  )
}

/** On the database: the operations are those of the server, carried out in this process. */
async function publishHere(args: PublishArgs) {
  const files = await listFolder(args.folder)
  if (!files.some(({ path }) => /\.(md|mdx|markdown)$/i.test(path)))
    throw new CommandError(`There is no Markdown in ${args.folder}.`)
  return withStore(
    async ({ db, env, config }) => {
      const user =
        args.space === undefined
          ? await personForOrganization(db, { organization: args.organization, email: args.as })
          : await personForSpace(db, { space: args.space, email: args.as })
      const runners = makeRunners({ db, env, clock: () => new Date(), writes: new WriteQueue() })
      // Addresses go to standard output, for scripts; what they are of is told beside.
      if (!args.json) console.error(`Database ${nameOfDatabase(config)}, as ${user.email}.`)
      const result = await publishFolder(args, {
        client: makeClient(inProcessTransport(runners, jobActor(user, 'publish'))),
        bringIn: async (target) => {
          const { revision, problems } = await importRepository(actAs({ db, env }, user, 'publish'), target, files, {
            remove: 'own',
            strict: args.strict === true,
            steps: noSteps,
            origin: folderOrigin(nameOfFolder(args.folder)),
          })
          return { revision, problems, problemLines: problems.map(spellProblem) }
        },
      }).catch((error) => refuseProblems(error, args))
      await printAll(db)
      return { ...result, database: nameOfDatabase(config) }
    },
    { mustExist: true },
  )
}

async function publishFolder(args: PublishArgs, { client, bringIn }: Publishing) {
  const title = args.title ?? nameOfFolder(args.folder)
  const organizationId = args.organization ?? (await onlyOrganization(client))
  const space = args.space ?? (await spaceOf(client, organizationId, title))
  if (args.preview) {
    const { id: changeRequest } = await client.createChangeRequest({ spaceId: space, body: {} })
    const imported = await bringIn({ space, changeRequest })
    const site = await siteOf(client, { organizationId, space, title })
    const query = { space, changeRequest }
    const { previewURL } = await client.getSitePublishingPreviewById({ organizationId, siteId: site.id, query })
    return { url: previewURL, space, site: site.id, changeRequest, ...imported }
  }
  const imported = await bringIn({ space })
  const site = await siteOf(client, { organizationId, space, title })
  const { urls } = site.published ? site : await client.publishSite({ organizationId, siteId: site.id })
  return { url: urls.published ?? urls.app, space, site: site.id, ...imported }
}

async function onlyOrganization(client: Client): Promise<string> {
  const { items } = await client.listOrganizationsForAuthenticatedUser({})
  const [first, second] = items
  if (!first) throw new CommandError('The account belongs to no organization.')
  if (second)
    throw new CommandError(
      `The account belongs to several organizations. Say --organization: ${items.map(({ id, title }) => `${id} (${title})`).join(', ')}.`,
    )
  return first.id
}

async function spaceOf(client: Client, organizationId: string, title: string): Promise<string> {
  const found: string[] = []
  for await (const space of walk(client.listSpacesInOrganizationById, { organizationId }))
    if (space.title === title) found.push(space.id)
  const [first, second] = found
  if (second !== undefined)
    throw new CommandError(`There are several spaces called ${title}. Say --space: ${found.join(', ')}.`)
  return first ?? (await client.createSpace({ organizationId, body: { title } })).id
}

/** A site that shows the space, or a new one. */
async function siteOf(
  client: Client,
  { organizationId, space, title }: { organizationId: string; space: string; title: string },
) {
  for await (const site of walk(client.listSites, { organizationId })) {
    const { items } = await client.listSiteSpaces({ organizationId, siteId: site.id })
    if (items.some((item) => item.space.id === space)) return site
  }
  return client.createSite({ organizationId, body: { title, spaces: [space], visibility: 'public' } })
}
