/** The side panel of a space: its pages as a tree, and the way to everything else it has. */
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronLeft,
  Eye,
  EyeOff,
  FileDown,
  FileInput,
  FilePen,
  FilePlus,
  FolderPlus,
  GitBranch,
  History,
  Image,
  Link2,
  Link2Off,
  Pencil,
  Plus,
  Settings,
  Trash2,
  X,
} from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { changedPages } from '../changes/changed-pages.ts'
import { SideLink } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { IconButton, keyLabel } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Failed, Waiting } from '../kit/empty.tsx'
import { TextField } from '../kit/field.tsx'
import { Menu, type MenuEntry } from '../kit/menu.tsx'
import { isTyping } from '../kit/typing.ts'
import { type PageNode, usePages } from '../pages/content-target.ts'
import { useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { add, move, type NewPage, remove, rename, setHidden } from '../tree/moves.ts'
import { emojiOf } from '../tree/page-icon.tsx'
import { filterPages, type Row, stepOf } from '../tree/rows.ts'
import { Tree } from '../tree/tree.tsx'
import { useSpace } from './space-context.tsx'

export function SpaceSide({ isWaiting }: { isWaiting: boolean }) {
  const { space, request } = useSpace()
  return (
    <>
      <div className="ui-side-part">
        <Link className="ui-side-link" href={paths.home}>
          <ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className="label">{t.spaces.allSpaces}</span>
        </Link>
        <Link className="ui-side-link ui-space-name" href={paths.space(space.id)}>
          {space.emoji && (
            <span className="emoji" aria-hidden="true">
              {emojiOf(space.emoji)}
            </span>
          )}
          <span className="label">{space.title || t.common.untitled}</span>
        </Link>
        {request && (
          <div className="ui-in-request">
            <Link className="label" href={paths.changeRequest(space.id, request.number)}>
              <FilePen size={14} strokeWidth={1.75} aria-hidden="true" />
              <span>
                #{request.number} {request.subject || t.common.untitled}
              </span>
            </Link>
            <Link
              className="ui-icon-button"
              href={paths.space(space.id)}
              aria-label={t.tree.leaveChangeRequest}
              title={t.tree.leaveChangeRequest}
            >
              <X size={14} strokeWidth={1.75} aria-hidden="true" />
            </Link>
          </div>
        )}
      </div>
      {isWaiting ? <Waiting /> : <Pages />}
      <div className="ui-side-part foot">
        <SideLink href={paths.changeRequests(space.id)} icon={FilePen} count={space.changeRequestsOpen}>
          {t.nav.changes}
        </SideLink>
        <SideLink href={paths.files(space.id)} icon={Image}>
          {t.nav.files}
        </SideLink>
        <SideLink href={paths.links(space.id)} icon={Link2Off}>
          {t.nav.links}
        </SideLink>
        <SideLink href={paths.history(space.id)} icon={History}>
          {t.nav.history}
        </SideLink>
        <SideLink href={paths.pdf(space.id, { changeRequest: request?.number })} icon={FileDown}>
          {t.nav.pdf}
        </SideLink>
        {space.permissions.admin && (
          <SideLink href={paths.settings(space.id)} icon={Settings}>
            {t.nav.settings}
          </SideLink>
        )}
      </div>
    </>
  )
}

/** Screens on which N goes to the next change or conflict. */
const showsChanges = (path: string): boolean => /\/(c\/[^/]+(\/(changes|conflicts))?|history(\/[^/]+)?)$/.test(path)

function Pages() {
  const { space, request, content, canEdit, pathOf } = useSpace()
  const [here, navigate] = useLocation()
  const [filter, setFilter] = useState('')
  const [linkInto, setLinkInto] = useState<string | null | undefined>()
  const pages = usePages(content)
  const current = /\/p\/([^/?]+)/.exec(here)?.[1]
  const changes = useCall(
    'getChangeRequestChanges',
    { spaceId: space.id, changeRequestId: request?.id ?? '', query: { limit: 1000 } },
    { enabled: request !== undefined },
  )
  const badges = useMemo(() => changedPages(changes.data?.changes ?? []), [changes.data])
  const shown = useMemo(
    () => (filter === '' ? (pages.data ?? []) : filterPages(pages.data ?? [], filter)),
    [pages.data, filter],
  )

  const create = async (page: NewPage): Promise<void> => {
    const id = await add(content, page)
    if (id && page.type !== 'group' && page.type !== 'link') navigate(pathOf(id))
  }
  const newPage = (): void => void create({ title: t.common.untitled })

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'n' || isTyping(event) || !canEdit || showsChanges(here)) return
      event.preventDefault()
      newPage()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })

  const destroy = async (page: PageNode): Promise<void> => {
    const revision = request ? request.revision : space.revision
    if ((await remove(content, page, revision)) && page.id === current)
      navigate(request ? paths.changeRequest(space.id, request.number, 'edit') : paths.space(space.id))
  }

  const menuFor = (row: Row<PageNode>, startRename: () => void): MenuEntry[] => {
    const { page } = row
    const step = (
      direction: 'up' | 'down' | 'in' | 'out',
      label: string,
      icon: MenuEntry['icon'],
      key: string,
    ): MenuEntry => {
      const target = stepOf(pages.data ?? [], page.id, direction)
      return {
        label,
        icon,
        shortcut: keyLabel(`Alt-${key}`),
        disabled: target === undefined,
        ...(target ? { run: () => void move(content, pages.data ?? [], page, target) } : {}),
      }
    }
    return [
      ...(page.type === 'link'
        ? []
        : [
            {
              label: t.tree.newInside,
              icon: FilePlus,
              run: () => void create({ title: t.common.untitled, into: page.id }),
            },
          ]),
      { label: t.tree.rename, icon: Pencil, shortcut: 'F2', run: startRename },
      {
        label: page.hidden ? t.tree.show : t.tree.hide,
        icon: page.hidden ? Eye : EyeOff,
        run: () => void setHidden(content, page, !page.hidden),
      },
      { ...step('up', t.tree.moveUp, ArrowUp, '↑'), apart: true },
      step('down', t.tree.moveDown, ArrowDown, '↓'),
      step('in', t.tree.moveIn, ArrowRight, '→'),
      step('out', t.tree.moveOut, ArrowLeft, '←'),
      { label: t.common.delete, icon: Trash2, danger: true, apart: true, run: () => void destroy(page) },
    ]
  }

  return (
    <div className="ui-side-part fill">
      <div className="ui-side-label">
        <span>{t.tree.label}</span>
        {canEdit && (
          <span>
            <Menu
              label={t.common.more}
              button={
                <button type="button" className="ui-icon-button">
                  <FolderPlus size={15} strokeWidth={1.75} aria-hidden="true" />
                </button>
              }
              entries={[
                {
                  label: t.tree.newGroup,
                  icon: FolderPlus,
                  run: () => void create({ title: t.tree.newGroup, type: 'group' }),
                },
                { label: t.tree.newLink, icon: Link2, run: () => setLinkInto(null) },
                { label: t.nav.git, icon: GitBranch, apart: true, href: paths.git(space.id) },
                {
                  label: t.nav.bringIn,
                  icon: FileInput,
                  href: paths.newImport(space.organization, {
                    space: space.id,
                    ...(request ? { changeRequest: request.number } : {}),
                  }),
                },
              ]}
            />
            <IconButton label={t.tree.newPage} shortcut="N" icon={Plus} onClick={newPage} />
          </span>
        )}
      </div>
      {(pages.data?.length ?? 0) > 12 || filter !== '' ? (
        <input
          className="ui-input ui-tree-filter"
          type="search"
          aria-label={t.tree.filter}
          placeholder={t.tree.find}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      ) : null}
      {pages.error && !pages.data ? (
        <Failed error={pages.error} onRetry={() => pages.refetch()} />
      ) : pages.data === undefined ? (
        <Waiting lines={8} />
      ) : pages.data.length === 0 ? (
        <p className="ui-hint inset">{t.tree.empty}</p>
      ) : shown.length === 0 ? (
        <p className="ui-hint inset">{t.tree.noMatch}</p>
      ) : (
        <Tree
          space={space.id}
          pages={shown}
          current={current}
          canEdit={canEdit && filter === ''}
          badges={badges}
          allOpen={filter !== ''}
          onOpen={(page) => navigate(pathOf(page.id))}
          onMove={(page, target) => void move(content, pages.data ?? [], page, target)}
          onRename={(page, title) => void rename(content, page, title)}
          onDelete={(page) => void destroy(page)}
          menuFor={menuFor}
        />
      )}
      <NewLinkDialog
        open={linkInto !== undefined}
        onClose={() => setLinkInto(undefined)}
        onCreate={(title, url) => void create({ title, url, type: 'link' })}
      />
    </div>
  )
}

function NewLinkDialog({
  open,
  onClose,
  onCreate,
}: {
  open: boolean
  onClose: () => void
  onCreate: (title: string, url: string) => void
}) {
  const [title, setTitle] = useState('')
  const [url, setUrl] = useState('')
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.tree.newLink}
      action={t.common.create}
      disabled={title.trim() === '' || !/^https?:\/\/\S+/.test(url)}
      onSubmit={() => {
        onCreate(title.trim(), url.trim())
        setTitle('')
        setUrl('')
        onClose()
      }}
    >
      <TextField label={t.tree.linkTitle} value={title} onChange={({ target }) => setTitle(target.value)} />
      <TextField
        label={t.tree.linkAddress}
        type="url"
        placeholder="https://"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
    </FormDialog>
  )
}
