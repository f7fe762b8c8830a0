/** Deleted spaces, which come back with a click. */
import { BookOpen, RotateCcw, Trash2 } from 'lucide-react'
import { Frame, Top } from '../frame/frame.tsx'
import { HomeSide } from '../home/home-side.tsx'
import { Button } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'

export default function TrashScreen() {
  const { id: organizationId } = useOrganization()
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 200, deleted: true } })
  const restore = useAction((spaceId: string) => call('restoreSpace', { spaceId }), {
    refreshes: ['listSpacesInOrganizationById'],
    onDone: ({ title }) => showDone(t.trash.restored(title)),
  })
  return (
    <Frame side={<HomeSide />}>
      <Top title={t.trash.title} />
      <h1 className="sr">{t.trash.title}</h1>
      <Loaded query={spaces}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Trash2} title={t.trash.empty} text={t.trash.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.map(({ id, title, deletedAt, permissions }) => (
                <li key={id} className="ui-row">
                  <BookOpen size={16} strokeWidth={1.75} aria-hidden="true" />
                  <span className="title">{title}</span>
                  {deletedAt && (
                    <span className="meta">
                      {t.trash.deletedAt} <When time={deletedAt} />
                    </span>
                  )}
                  {permissions.admin && (
                    <Button className="small" icon={RotateCcw} onClick={() => restore.mutate(id)}>
                      {t.trash.restore}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Frame>
  )
}
