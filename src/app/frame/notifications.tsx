/** What concerns me: reviews I am asked for, and what happened to my change requests, newest first. */
import * as Ariakit from '@ariakit/react'
import { Bell } from 'lucide-react'
import { Link } from 'wouter'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { When } from '../kit/when.tsx'
import { useCall } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { paths } from './paths.ts'

interface Notice {
  id: string
  who: { displayName: string; photoURL?: string | undefined }
  text: string
  href: string
  at: string
}

export function Notifications() {
  const { organization } = useSession()
  return organization ? <Bells organizationId={organization.id} /> : null
}

function Bells({ organizationId }: { organizationId: string }) {
  const notices = useNotices(organizationId)
  const [seen, setSeen] = useStored(`lectern-seen-${organizationId}`, '')
  const unread = notices.filter(({ at }) => at > seen).length
  return (
    <Ariakit.PopoverProvider placement="bottom-end">
      <Ariakit.PopoverDisclosure
        className="ui-icon-button ui-bell"
        aria-label={unread > 0 ? `${t.notifications.title}, ${t.notifications.unread(unread)}` : t.notifications.title}
      >
        <Bell size={16} strokeWidth={1.75} aria-hidden="true" />
        {unread > 0 && <span className="ui-bell-dot" aria-hidden="true" />}
      </Ariakit.PopoverDisclosure>
      <Ariakit.Popover
        className="ui-popover ui-notices"
        gutter={6}
        portal
        unmountOnHide
        aria-label={t.notifications.title}
      >
        <header className="ui-heading">
          <h2>{t.notifications.title}</h2>
          {unread > 0 && (
            <Button kind="quiet" className="small" onClick={() => setSeen(new Date().toISOString())}>
              {t.notifications.markRead}
            </Button>
          )}
        </header>
        {notices.length === 0 ? (
          <p className="ui-quiet inset">{t.notifications.empty}</p>
        ) : (
          <ul className="ui-list">
            {notices.map(({ id, who, text, href, at }) => (
              <li key={id} data-new={at > seen || undefined}>
                <Ariakit.PopoverDismiss render={<Link className="ui-row ui-notice-row" href={href} />}>
                  <Avatar name={who.displayName} photo={who.photoURL} />
                  <span className="text">{text}</span>
                  <span className="meta">
                    <When time={at} />
                  </span>
                </Ariakit.PopoverDismiss>
              </li>
            ))}
          </ul>
        )}
      </Ariakit.Popover>
    </Ariakit.PopoverProvider>
  )
}

const everyMinute = { refetchInterval: 60_000 }

function useNotices(organizationId: string): Notice[] {
  const { user } = useSession()
  const list = 'listChangeRequestsForOrganization' as const
  const asked = useCall(
    list,
    { organizationId, query: { requestedReviewer: user.id, status: 'open', limit: 20 } },
    everyMinute,
  )
  const merged = useCall(
    list,
    { organizationId, query: { creator: user.id, status: 'merged', limit: 10 } },
    everyMinute,
  )
  const open = useCall(list, { organizationId, query: { creator: user.id, status: 'open', limit: 10 } }, everyMinute)
  const notices: Notice[] = [
    ...(asked.data?.items ?? []).map((request) => ({
      id: `review-${request.id}`,
      who: request.createdBy,
      text: t.notifications.reviewAsked(request.createdBy.displayName, request.subject),
      href: paths.changeRequest(request.space, request.number),
      at: request.updatedAt,
    })),
    ...(merged.data?.items ?? [])
      .filter(({ mergedBy }) => mergedBy && mergedBy.id !== user.id)
      .map((request) => ({
        id: `merged-${request.id}`,
        who: request.mergedBy ?? request.createdBy,
        text: t.notifications.merged(request.mergedBy?.displayName ?? '', request.subject),
        href: paths.changeRequest(request.space, request.number),
        at: request.mergedAt ?? request.updatedAt,
      })),
    ...(open.data?.items ?? [])
      .filter(({ comments }) => comments > 0)
      .map((request) => ({
        id: `comments-${request.id}`,
        who: request.createdBy,
        text: t.notifications.comments(request.comments, request.subject),
        href: paths.changeRequest(request.space, request.number),
        at: request.updatedAt,
      })),
  ]
  return notices.sort((a, b) => b.at.localeCompare(a.at)).slice(0, 30)
}
