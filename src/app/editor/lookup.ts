/** What the editor asks about the space: pages to link to, files to show, people to mention, contents to reuse. Each is asked once. */
import type { Client } from '../../client/client.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { printRef } from '../../core/document/tree/refs.ts'
import type { PageAddress } from '../saving/remote.ts'

export interface Target {
  title: string
  href?: string | undefined
  detail?: string | undefined
  contentType?: string | undefined
}

export interface Choice {
  title: string
  detail?: string
  ref: ContentRef
}

export interface Lookup {
  target(ref: ContentRef): Promise<Target>
  pages(query: string): Promise<Choice[]>
  people(query: string): Promise<Choice[]>
  reusable(query: string): Promise<Choice[]>
  /** Descriptions of APIs. */
  specs(query: string): Promise<Choice[]>
  upload(file: File, onProgress: (part: number) => void): Promise<{ id: string; name: string }>
}

export interface LookupOptions {
  organization?: string | undefined
  upload: Upload
}

/** Stores a file, telling how much of it has left. */
export type Upload = (
  file: File,
  onProgress: (part: number) => void,
) => Promise<readonly { id: string; name: string }[]>

export function makeLookup(
  client: Client,
  { space, changeRequest }: PageAddress,
  { organization, upload }: LookupOptions,
): Lookup {
  const targets = new Map<string, Promise<Target>>()
  const at = changeRequest === undefined ? undefined : { spaceId: space, changeRequestId: changeRequest }
  let tree: Promise<Choice[]> | undefined
  let members: Promise<Choice[]> | undefined
  let contents: Promise<Choice[]> | undefined
  let descriptions: Promise<Choice[]> | undefined
  const query = { fields: 'tree' } as const
  const allPages = (): Promise<Choice[]> => {
    tree ??= (
      at ? client.listPagesInChangeRequest({ ...at, query }) : client.listPages({ spaceId: space, query })
    ).then(({ pages }) => flatten(pages, ''))
    return tree
  }
  const allMembers = (): Promise<Choice[]> => {
    members ??=
      organization === undefined
        ? Promise.resolve([])
        : client
            .listMembersInOrganizationById({ organizationId: organization, query: { limit: 1000 } })
            .then(({ items }) => items.map((member) => personOf(member)).filter((choice) => choice !== undefined))
    return members
  }
  const allContents = (): Promise<Choice[]> => {
    contents ??= client
      .listReusableContents({ spaceId: space, query: { limit: 1000 } })
      .then(({ items }) =>
        items.map(({ id, title }) => ({ title, ref: { kind: 'reusable-content' as const, reusableContent: id } })),
      )
    return contents
  }
  const allSpecs = (): Promise<Choice[]> => {
    descriptions ??=
      organization === undefined
        ? Promise.resolve([])
        : client
            .listOpenAPISpecs({ organizationId: organization, query: { limit: 1000 } })
            .then(({ items }) =>
              items.map(({ slug }) => ({ title: slug, ref: { kind: 'openapi' as const, spec: slug } })),
            )
    return descriptions
  }
  const find = async (ref: ContentRef): Promise<Target> => {
    if (ref.kind === 'file' && ref.space === undefined) {
      const { name, downloadURL, contentType } = await (at
        ? client.getFileInChangeRequestById({ ...at, fileId: ref.file })
        : client.getFileById({ spaceId: space, fileId: ref.file }))
      return { title: name, href: downloadURL, contentType }
    }
    if (ref.kind === 'page' || (ref.kind === 'anchor' && ref.page !== undefined)) {
      const page = (await allPages()).find(({ ref: other }) => other.kind === 'page' && other.page === ref.page)
      if (page !== undefined) return { title: page.title, ...(page.detail ? { detail: page.detail } : {}) }
    }
    if (ref.kind === 'user') {
      const person = (await allMembers()).find(({ ref: other }) => other.kind === 'user' && other.user === ref.user)
      if (person !== undefined) return { title: person.title }
    }
    if (ref.kind === 'reusable-content') {
      const content = (await allContents()).find(
        ({ ref: other }) => other.kind === 'reusable-content' && other.reusableContent === ref.reusableContent,
      )
      if (content !== undefined) return { title: content.title }
    }
    if (ref.kind === 'url') return { title: ref.url, href: ref.url }
    return { title: printRef(ref) }
  }
  return {
    target(ref) {
      const name = printRef(ref)
      const known = targets.get(name)
      if (known !== undefined) return known
      // What could not be found is named, and asked again the next time.
      const found = find(ref).catch((): Target => {
        targets.delete(name)
        return { title: name }
      })
      targets.set(name, found)
      return found
    },
    pages: async (query) => best(await allPages(), query),
    people: async (query) => best(await allMembers(), query),
    reusable: async (query) => best(await allContents(), query),
    specs: async (query) => best(await allSpecs(), query),
    async upload(file, onProgress) {
      const [made] = await upload(file, onProgress)
      if (made === undefined) throw new Error(file.name)
      return { id: made.id, name: made.name }
    },
  }
}

interface TreePage {
  id: string
  title: string
  type?: string
  pages?: unknown
}

function flatten(pages: unknown, above: string): Choice[] {
  if (!Array.isArray(pages)) return []
  return pages.filter(isPage).flatMap((page) => [
    ...(page.type === 'group'
      ? []
      : [
          {
            title: page.title,
            ...(above === '' ? {} : { detail: above }),
            ref: { kind: 'page' as const, page: page.id },
          },
        ]),
    ...flatten(page.pages, above === '' ? page.title : `${above} / ${page.title}`),
  ])
}

const isPage = (value: unknown): value is TreePage =>
  typeof value === 'object' && value !== null && 'id' in value && 'title' in value && typeof value.title === 'string'

function personOf(member: object): Choice | undefined {
  if (!('user' in member) || typeof member.user !== 'object' || member.user === null) return undefined
  const { user } = member
  if (!('id' in user) || typeof user.id !== 'string') return undefined
  const name = 'displayName' in user && typeof user.displayName === 'string' ? user.displayName : user.id
  const email = 'email' in user && typeof user.email === 'string' ? { detail: user.email } : {}
  return { title: name, ...email, ref: { kind: 'user', user: user.id } }
}

/** Titles that begin with the words first, then those that hold them. */
function best(choices: readonly Choice[], query: string): Choice[] {
  const wanted = query.trim().toLocaleLowerCase()
  const rank = ({ title }: Choice): number => {
    const name = title.toLocaleLowerCase()
    return name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2
  }
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((ranked) => ranked.rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 12)
    .map(({ choice }) => choice)
}
