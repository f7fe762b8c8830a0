/** The change requests of a space, by state. */
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { changesTexts } from '../texts/changes.ts'
import { t } from '../texts/index.ts'
import { useNewChangeRequest } from './new-request.ts'
import { RequestList } from './request-list.tsx'
import type { Status } from './state-tabs.tsx'

export default function ChangeRequestsScreen() {
  const { space } = useSpace()
  const [status, setStatus] = useState<Status>('all')
  const isAsked = useSearch() === 'new'
  const [asking, setAsking] = useState(isAsked)
  // The palette asks for a new one from wherever it is opened.
  useEffect(() => setAsking(isAsked), [isAsked])
  const [subject, setSubject] = useState('')
  const create = useNewChangeRequest(space.id)
  const list = useCall(
    'listChangeRequestsForSpace',
    { spaceId: space.id, query: { limit: 200, ...(status === 'all' ? {} : { status }) } },
    { keep: true },
  )
  const button = space.permissions.edit && (
    <Button kind="primary" icon={Plus} onClick={() => setAsking(true)}>
      {changesTexts.new}
    </Button>
  )
  return (
    <div className="ui-screen">
      <Top title={changesTexts.title} crumbs={[{ label: space.title, href: paths.space(space.id) }]}>
        {button}
      </Top>
      <RequestList query={list} status={status} onStatus={setStatus} />
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={changesTexts.new}
        action={t.common.create}
        busy={create.isPending}
        onSubmit={() => create.mutate({ subject: subject.trim() || t.common.untitled })}
      >
        <TextField
          label={changesTexts.subject}
          placeholder={changesTexts.subjectPlaceholder}
          maxLength={100}
          value={subject}
          onChange={({ target }) => setSubject(target.value)}
        />
      </FormDialog>
    </div>
  )
}
