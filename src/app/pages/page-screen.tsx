/** One page: its head, its text, and what can be done with it. */
import { CodeXml, Ellipsis, FileDown, History, Link2, MessageSquare, Search, Settings2 } from 'lucide-react'
import { type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { CallFailed } from '../../client/client.ts'
import { useNewChangeRequest } from '../changes/new-request.ts'
import { Comments } from '../comments/comments.tsx'
import { blockWithDraft } from '../comments/drafts.ts'
import type { Heading } from '../editor/index.ts'
import { Top, useHasBar } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Rest } from '../frame/rest.tsx'
import { Button, IconButton, keyLabel } from '../kit/button.tsx'
import { Empty, Failed, Waiting } from '../kit/empty.tsx'
import { Menu } from '../kit/menu.tsx'
import { isTyping } from '../kit/typing.ts'
import { isFirstScreen } from '../session/first-answers.ts'
import { rememberPage } from '../session/recent.ts'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { PublishButton } from '../sites/publish.tsx'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'
import { trailOf } from '../tree/rows.ts'
import { type Page, usePage, usePages } from './content-target.ts'
import { type BodyHandle, PageBody } from './page-body.tsx'
import { PageHead } from './page-head.tsx'
import { PageSettings } from './page-settings.tsx'
import { mostUrgent, type SaveStatus } from './save-state.ts'
import { SaveState } from './save-status.tsx'
import { useFields } from './use-fields.ts'
import { takeWriteAtOnce } from './write-at-once.ts'

export function PageScreen({ page: id }: { page: string }) {
  const { content, space } = useSpace()
  const page = usePage(content, id)
  const [isFirst] = useState(isFirstScreen)
  if (page.data)
    return (
      <LoadedPage
        key={`${content.changeRequest ?? ''}-${id}`}
        loaded={page.data}
        isFresh={isFirst || page.isFetchedAfterMount}
      />
    )
  if (page.error instanceof CallFailed && page.error.status === 404)
    return (
      <>
        <Top title={t.page.missing} crumbs={[{ label: space.title, href: paths.space(space.id) }]} />
        <Empty title={t.page.missing} text={t.page.missingText} />
      </>
    )
  if (page.error) return <Failed error={page.error} onRetry={() => page.refetch()} />
  return (
    <div className="ui-page">
      <Waiting lines={8} />
    </div>
  )
}

function LoadedPage({ loaded, isFresh }: { loaded: Page; isFresh: boolean }) {
  const { space, request, content, canEdit, pathOf } = useSpace()
  const [, navigate] = useLocation()
  const [headStatus, setHeadStatus] = useState<SaveStatus | undefined>()
  const [bodyStatus, setBodyStatus] = useState<SaveStatus | undefined>()
  const [headings, setHeadings] = useState<Heading[] | undefined>()
  const { user } = useSession()
  // What was begun about a block goes on.
  const [commented, setCommented] = useState(() => blockWithDraft(user.id, content, loaded.id))
  const [settings, setSettings] = useState(false)
  const [panel, setPanel] = useCommentsPanel()
  const body = useRef<BodyHandle>(null)
  const pages = usePages(content)
  const { page, change } = useFields(content, loaded, setHeadStatus)
  const startRequest = useNewChangeRequest(space.id)

  useEffect(() => {
    rememberPage({
      space: space.id,
      page: page.id,
      title: page.title,
      spaceTitle: space.title,
      emoji: page.emoji,
      at: new Date().toISOString(),
    })
  }, [space.id, space.title, page.id, page.title, page.emoji])

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === ']' && !isTyping(event)) setPanel(panel === 'open' ? 'closed' : 'open')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [panel, setPanel])

  // The editor stands when it says where saving is.
  const isStanding = bodyStatus !== undefined
  useEffect(() => {
    if (isStanding && takeWriteAtOnce()) body.current?.focus()
  }, [isStanding])

  // A letter is on the screen before the word about it.
  const showStatus = (status: SaveStatus): void => startTransition(() => setBodyStatus(status))
  const commentOn = (block: string): void => {
    setCommented(block)
    setPanel('open')
  }

  const above = trailOf(pages.data ?? [], page.id).slice(0, -1)
  const crumbs = [
    { label: space.title || t.common.untitled, href: paths.space(space.id) },
    ...(request ? [{ label: `#${request.number}`, href: paths.changeRequest(space.id, request.number) }] : []),
    ...above.map(({ id, title }) => ({ label: title, href: pathOf(id) })),
  ]
  const status = mostUrgent(headStatus, bodyStatus)
  const hasBar = useHasBar()
  const hasTools = canEdit && page.type === 'document'
  const history = request ? undefined : paths.pageHistory(space.id, page.id)
  // On a phone there is room for few buttons: these are in the menu.
  const roomyClass = hasTools ? 'ui-roomy' : ''
  // Its place is kept from the beginning: the text must not move when the headings are told.
  const hasOutline = headings ? headings.length > 1 : canEdit && countHeadings(page) > 1
  return (
    <>
      <Top title={page.title} crumbs={crumbs}>
        <SaveState status={status} />
        {canEdit && (
          <IconButton
            label={t.page.settings}
            icon={Settings2}
            className={roomyClass}
            onClick={() => setSettings(true)}
          />
        )}
        {hasTools && (
          <PageTools
            body={body}
            openSettings={() => setSettings(true)}
            history={history}
            pdf={paths.pdf(space.id, { changeRequest: request?.number, page: page.id })}
          />
        )}
        {history !== undefined && (
          <IconButton label={t.page.history} icon={History} className={roomyClass} onClick={() => navigate(history)} />
        )}
        {space.permissions.comment && (
          <IconButton
            label={t.page.comments}
            icon={MessageSquare}
            shortcut="]"
            aria-pressed={panel === 'open'}
            onClick={() => setPanel(panel === 'open' ? 'closed' : 'open')}
          />
        )}
        {!request && space.permissions.edit && !canEdit && (
          <Button kind="primary" busy={startRequest.isPending} onClick={() => startRequest.mutate({ page: page.id })}>
            {t.page.edit}
          </Button>
        )}
        {!request && canEdit && <PublishButton />}
      </Top>
      {/* Heard, though not seen, from the moment that the page can be written in. */}
      {!hasBar && (
        <div className="sr">
          <SaveState status={status} />
        </div>
      )}
      <div className="ui-page-columns">
        <div className="ui-page" data-width={page.layout?.width}>
          {!canEdit && <p className="ui-notice">{space.permissions.edit ? t.page.readOnly : t.page.readOnlyNoRight}</p>}
          <PageHead
            page={page}
            content={content}
            canEdit={canEdit}
            change={change}
            onLeave={() => body.current?.focus()}
          />
          {page.type === 'group' ? (
            <p className="ui-quiet">{t.page.isGroup}</p>
          ) : page.type === 'link' ? (
            <LinkTarget page={page} />
          ) : (
            <PageBody
              ref={body}
              page={page}
              isFresh={isFresh}
              readOnly={!canEdit}
              onStatus={showStatus}
              onOutline={setHeadings}
              onComment={space.permissions.comment ? commentOn : undefined}
            />
          )}
        </div>
        {panel !== 'open' && hasOutline && <Outline headings={headings ?? []} />}
        {panel === 'open' && space.permissions.comment && (
          <aside className="ui-aside">
            <Comments
              key={commented}
              content={content}
              page={page.id}
              node={commented}
              onClose={() => (commented === undefined ? setPanel('closed') : setCommented(undefined))}
            />
          </aside>
        )}
      </div>
      {canEdit && (
        <Rest>
          <PageSettings
            open={settings}
            onClose={() => setSettings(false)}
            page={page}
            onChange={(fields) => change(fields, true)}
          />
        </Rest>
      )}
    </>
  )
}

const countHeadings = ({ document }: Page): number =>
  (document?.nodes ?? []).filter(({ type }) => type.startsWith('heading')).length

/** The headings of the page, beside it where there is room. */
const Outline = ({ headings }: { headings: readonly Heading[] }) => (
  <nav className="ui-outline" aria-label={t.page.outline}>
    <p>{t.page.outline}</p>
    <ul>
      {headings.map(({ key, title, level, go }) => (
        <li key={key} data-level={level}>
          <button type="button" onClick={go}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  </nav>
)

const isPhone = (): boolean => matchMedia('(max-width: 519px)').matches

/** What is done to the text as a whole. */
const PageTools = ({
  body,
  openSettings,
  history,
  pdf,
}: {
  body: RefObject<BodyHandle | null>
  openSettings: () => void
  history: string | undefined
  pdf: string
}) => (
  <Menu
    label={t.page.tools}
    button={
      <button type="button" className="ui-icon-button" title={t.page.tools}>
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    }
    entries={() => [
      { label: t.page.find, icon: Search, shortcut: keyLabel('Mod-Alt-F'), run: () => body.current?.find() },
      { label: t.page.source, icon: CodeXml, run: () => body.current?.source() },
      { label: t.page.versions, icon: History, run: () => body.current?.versions() },
      { label: t.nav.pdf, icon: FileDown, href: pdf },
      ...(isPhone()
        ? [
            { label: t.page.settings, icon: Settings2, apart: true, run: openSettings },
            ...(history === undefined ? [] : [{ label: t.page.history, icon: History, href: history }]),
          ]
        : []),
    ]}
  />
)

/** Where comments stand beside the page they stay open from page to page; where they lie over it, each page begins without. */
function useCommentsPanel(): [panel: string, setPanel: (panel: string) => void] {
  const [kept, keep] = useStored('lectern-comments', 'closed')
  const [over, setOver] = useState('closed')
  return matchMedia('(min-width: 1100px)').matches ? [kept, keep] : [over, setOver]
}

function LinkTarget({ page }: { page: Page }) {
  const url = page.target?.kind === 'url' ? page.target.url : page.href
  return (
    <p className="ui-quiet">
      {t.page.isLink}{' '}
      {url && (
        <a className="ui-link" href={url} target="_blank" rel="noreferrer">
          <Link2 size={14} aria-hidden="true" /> {url}
        </a>
      )}
    </p>
  )
}
