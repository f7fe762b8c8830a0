/** The bell: what concerns me, newest first; a message at the edge of the screen when it happens. */
import { Bell } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import type { Ariakit } from '../kit/layers.ts'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { type ButtonElement, useShownAtOnce, WhenWanted } from '../kit/when-wanted.tsx'
import { useCall } from '../session/client.ts'
import { ownKey } from '../session/person.ts'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { onHappening } from './live.tsx'
import { keepNotice, type Notice, noticeOf, noticesKey, readNotices } from './notices.ts'
import { paths } from './paths.ts'

/** What is older was told by a stream that came back: it waits behind the bell, without a message. */
const justNowMilliseconds = 60_000

export function Notifications() {
  const { organization } = useSession()
  return organization ? <Bells organizationId={organization.id} /> : null
}

function Bells({ organizationId }: { organizationId: string }) {
  const notices = useNotices(organizationId)
  const [seen, setSeen] = useStored(ownKey(`seen-${organizationId}`), '')
  const unread = notices.filter(({ at }) => at > seen).length
  const label = unread > 0 ? `${t.notifications.title}, ${t.notifications.unread(unread)}` : t.notifications.title
  const button = (
    <button type="button" className="ui-icon-button ui-bell">
      <Bell size={16} strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && <span className="ui-bell-dot" aria-hidden="true" />}
    </button>
  )
  return (
    <WhenWanted label={label} popup="dialog" button={button}>
      {(ariakit) => (
        <MadeNotices
          ariakit={ariakit}
          label={label}
          button={button}
          notices={notices}
          seen={seen}
          onRead={unread > 0 ? () => setSeen(new Date().toISOString()) : undefined}
        />
      )}
    </WhenWanted>
  )
}

interface NoticesProps {
  ariakit: Ariakit
  label: string
  button: ButtonElement
  notices: readonly Notice[]
  /** When they were last read. */
  seen: string
  /** None where there is nothing new. */
  onRead: (() => void) | undefined
}

function MadeNotices({ ariakit, label, button, notices, seen, onRead }: NoticesProps) {
  const popover = ariakit.usePopoverStore({ placement: 'bottom-end' })
  useShownAtOnce(() => popover.show())
  return (
    <>
      <ariakit.PopoverDisclosure store={popover} render={button} aria-label={label} />
      <ariakit.Popover
        store={popover}
        className="ui-popover ui-notices"
        gutter={6}
        portal
        unmountOnHide
        aria-label={t.notifications.title}
      >
        <header className="ui-heading">
          <h2>{t.notifications.title}</h2>
          {onRead && (
            <Button kind="quiet" className="small" onClick={onRead}>
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
                <ariakit.PopoverDismiss render={<Link className="ui-row ui-notice-row" href={href} />}>
                  <Avatar name={who.displayName} photo={who.photoURL} />
                  <span className="text">{text}</span>
                  <span className="meta">
                    <When time={at} />
                  </span>
                </ariakit.PopoverDismiss>
              </li>
            ))}
          </ul>
        )}
      </ariakit.Popover>
    </>
  )
}

/** Kept notices of what happened, and what waits for me whether or not this device was told. */
function useNotices(organizationId: string): Notice[] {
  const { user } = useSession()
  const [, navigate] = useLocation()
  const [stored] = useStored(noticesKey(organizationId), '[]')
  const waiting = useCall('listChangeRequestsForOrganization', {
    organizationId,
    query: { requestedReviewer: user.id, status: 'open', limit: 20 },
  })
  useEffect(
    () =>
      onHappening((happening) => {
        // What concerns nobody here, or is gone by now, is no notice.
        const found = noticeOf(happening, user.id).catch(() => undefined)
        void found.then((notice) => {
          if (notice === undefined) return
          keepNotice(organizationId, notice)
          const isNow = Date.now() - Date.parse(notice.at) < justNowMilliseconds
          if (isNow) showDone(notice.text, { label: t.common.open, run: () => navigate(notice.href) })
        })
      }),
    [organizationId, user.id, navigate],
  )
  const readable = useMemo(() => readNotices(stored), [stored])
  const asked = (waiting.data?.items ?? [])
    .filter(({ id }) => !readable.some((notice) => notice.id === `review-${id}`))
    .map((request) => ({
      id: `review-${request.id}`,
      who: request.createdBy,
      text: t.notifications.reviewAsked(request.createdBy.displayName, request.subject),
      href: paths.changeRequest(request.space, request.number),
      at: request.updatedAt,
    }))
  return [...asked, ...readable].sort((a, b) => b.at.localeCompare(a.at)).slice(0, 30)
}
