/** `lectern publish`: a folder of Markdown becomes a site, or the preview of one, on a server. */
import { defineCommand } from 'citty'
import type { Client } from '../client/client.ts'
import { walk } from '../client/walk.ts'
import { CommandError } from './plain-errors.ts'
import { asked, findRemote, nameOfFolder, remoteArgs, withArchive } from './remote.ts'

export const publish = defineCommand({
  meta: {
    name: 'publish',
    description:
      'Publish a folder of Markdown: makes the space and the site of that name, or updates them, and prints the address.',
  },
  args: {
    folder: { type: 'positional', required: true, description: 'The folder.' },
    ...remoteArgs,
    title: { type: 'string', description: 'Title of the space and the site (the name of the folder).' },
    space: { type: 'string', description: 'Id of the space, where it is another than the one of that title.' },
    organization: { type: 'string', description: 'Id of the organization, for those who are in several.' },
    preview: { type: 'boolean', description: 'Open a change request instead, and print the address of its preview.' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  async run({ args }) {
    const remote = findRemote(args)
    if (!remote) throw new CommandError('Say to which server: --url and --token, or LECTERN_URL and LECTERN_TOKEN.')
    const title = args.title ?? nameOfFolder(args.folder)
    const result = await asked(
      remote,
      withArchive(args.folder, async (form) => {
        const { client } = remote
        const organizationId = args.organization ?? (await onlyOrganization(client))
        const space = args.space ?? (await spaceOf(client, organizationId, title))
        const site = await siteOf(client, { organizationId, space, title })
        if (args.preview) return openPreview(client, { organizationId, space, site: site.id, form })
        const imported = await client.importUpload({ spaceId: space, body: form })
        const { urls } = site.published ? site : await client.publishSite({ organizationId, siteId: site.id })
        return { url: urls.published ?? urls.app, space, site: site.id, ...imported }
      }),
    )
    console.log(args.json ? JSON.stringify(result) : result.url)
  },
})

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

async function openPreview(
  client: Client,
  { organizationId, space, site, form }: { organizationId: string; space: string; site: string; form: FormData },
) {
  const { id: changeRequest } = await client.createChangeRequest({ spaceId: space, body: {} })
  const imported = await client.importUploadInChangeRequest({
    spaceId: space,
    changeRequestId: changeRequest,
    body: form,
  })
  const { previewURL } = await client.getSitePublishingPreviewById({
    organizationId,
    siteId: site,
    query: { space, changeRequest },
  })
  return { url: previewURL, space, site, changeRequest, ...imported }
}
