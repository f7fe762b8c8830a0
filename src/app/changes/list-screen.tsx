/** The change requests of a space, by state. */
import { FilePen, Plus } from 'lucide-react'
import { useState } from 'react'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { TextField } from '../kit/field.tsx'
import { useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'
import { useNewChangeRequest } from './new-request.ts'
import { ChangeRequestRow } from './row.tsx'
import { StateTabs, type Status } from './state-tabs.tsx'

export default function ChangeRequestsScreen() {
  const { space } = useSpace()
  const [status, setStatus] = useState<Status>('all')
  const [asking, setAsking] = useState(false)
  const [subject, setSubject] = useState('')
  const create = useNewChangeRequest(space.id)
  const list = useCall(
    'listChangeRequestsForSpace',
    { spaceId: space.id, query: { limit: 200, ...(status === 'all' ? {} : { status }) } },
    { keep: true },
  )
  const button = space.permissions.edit && (
    <Button kind="primary" icon={Plus} onClick={() => setAsking(true)}>
      {t.changes.new}
    </Button>
  )
  return (
    <div className="ui-screen">
      <Top title={t.changes.title} crumbs={[{ label: space.title, href: paths.space(space.id) }]}>
        {button}
      </Top>
      <h1 className="sr">{t.changes.title}</h1>
      <StateTabs status={status} onChoose={setStatus} />
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={FilePen} title={t.changes.emptyTitle} text={t.changes.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.map((request) => (
                <ChangeRequestRow key={request.id} request={request} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.changes.new}
        action={t.common.create}
        busy={create.isPending}
        onSubmit={() => create.mutate({ subject: subject.trim() || t.common.untitled })}
      >
        <TextField
          label={t.changes.subject}
          placeholder={t.changes.subjectPlaceholder}
          maxLength={100}
          value={subject}
          onChange={({ target }) => setSubject(target.value)}
        />
      </FormDialog>
    </div>
  )
}
