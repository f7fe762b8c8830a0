/** What others do, on every screen: what is shown and no longer true is asked for again, and whoever listens is told. */
import { useEffect } from 'react'
import { contentChanged, contentIsStale } from '../pages/content-target.ts'
import { type Name, refresh, server } from '../session/client.ts'
import { ownKey } from '../session/person.ts'
import { useSession } from '../session/session.tsx'
import { stored } from '../session/stored.ts'
import { followStream, isRecord } from '../session/stream.ts'

/** One thing that happened in the organization. */
export interface Happening {
  name: string
  id: string
  action: string
  /** The id of whoever did it. */
  by: string
  at: string
  space?: string | undefined
  changeRequest?: string | undefined
  data: Record<string, unknown>
}

const requests: Name[] = [
  'getChangeRequestById',
  'getChangeRequestChanges',
  'listChangeRequestsForSpace',
  'listChangeRequestsForOrganization',
  'getReviewsByChangeRequestId',
  'getRequestedReviewersByChangeRequestId',
  'getSpaceById',
]

/** By the name of the event, what it makes untrue. Content is looked at more closely. */
const staleAfter: Readonly<Record<string, Name[]>> = {
  status: requests,
  review: requests,
  comment: [
    'listCommentsInSpace',
    'listCommentsInChangeRequest',
    'listCommentRepliesInSpace',
    'listCommentRepliesInChangeRequest',
    'getChangeRequestById',
  ],
  space: ['listSpacesInOrganizationById', 'getSpaceById'],
  collection: ['listCollectionsInOrganizationById', 'listSpacesInOrganizationById'],
  site: ['listSites', 'getSiteById', 'listSiteSpaces', 'getSiteStructure', 'listSiteRedirects'],
  member: ['listMembersInOrganizationById'],
  organization: ['listOrganizationsForAuthenticatedUser'],
}

const listeners = new Set<(happening: Happening) => void>()

export function onHappening(listener: (happening: Happening) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** So long the place in the stream is remembered between visits: what is older is seen by looking. */
const rememberedMilliseconds = 7 * 24 * 60 * 60 * 1000

/** Follows the organization that is worked in; shows nothing. */
export function Live() {
  const { organization, user } = useSession()
  const organizationId = organization?.id
  useEffect(() => {
    if (organizationId === undefined) return
    const key = ownKey(`events-${organizationId}`)
    const [last, at] = (stored.get(key) ?? '').split(' ')
    const isRecent = at !== undefined && Date.now() - Number(at) < rememberedMilliseconds
    return followStream({
      url: `${server.url}/v1/orgs/${encodeURIComponent(organizationId)}/events`,
      names: ['content', ...Object.keys(staleAfter)],
      after: isRecent ? last : undefined,
      back: () => void refresh(...requests),
      hear: ({ name, id, data }) => {
        stored.set(key, `${id} ${Date.now()}`)
        const happening = happeningOf(name, id, data)
        followContent(happening, user.id)
        void refresh(...(staleAfter[name] ?? []))
        for (const listener of listeners) listener(happening)
      },
    })
  }, [organizationId, user.id])
  return null
}

/** While people write, what depends on it is asked for at most this often. */
const restMilliseconds = 2_000
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

function soon(key: string, ask: () => void): void {
  if (waiting.has(key)) return
  const timer = setTimeout(() => {
    waiting.delete(key)
    ask()
  }, restMilliseconds)
  waiting.set(key, timer)
}

function followContent({ name, space, changeRequest, by, data }: Happening, me: string): void {
  if (space === undefined || (name !== 'content' && data.action !== 'change_request_merged')) return
  const content = { space, changeRequest: name === 'content' ? changeRequest : undefined }
  const key = `${space} ${content.changeRequest ?? ''}`
  if (by !== me) {
    soon(key, () => {
      void contentChanged(content)
      void refresh('getChangeRequestChanges', 'getChangeRequestById', 'getSpaceById')
    })
    return
  }
  // One's own tab knows the words; another tab of the same person asks when it is looked at. What they change is not known.
  contentIsStale(content)
  if (content.changeRequest !== undefined) soon(`${key} mine`, () => void refresh('getChangeRequestChanges'))
}

function happeningOf(name: string, id: string, data: Record<string, unknown>): Happening {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const target = isRecord(data.target) ? data.target : {}
  return {
    name,
    id,
    action: text(data.action) ?? '',
    by: text(data.by) ?? '',
    at: text(data.at) ?? '',
    space: text(data.space) ?? (target.type === 'space' ? text(target.id) : undefined),
    changeRequest: text(data.changeRequest) ?? (target.type === 'change-request' ? text(target.id) : undefined),
    data,
  }
}
