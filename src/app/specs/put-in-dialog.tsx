/** A page for a whole spec: made in a space, or in a new change request where the space is locked. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { FormDialog } from '../kit/dialog.tsx'
import { Check, Select, TextField } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { write } from '../pages/content-target.ts'
import { call, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { specTexts as words } from '../texts/specs.ts'

interface PutInDialogProps {
  open: boolean
  onClose: () => void
  organizationId: string
  specSlug: string
}

export function PutInDialog({ open, onClose, organizationId, specSlug }: PutInDialogProps) {
  const [, navigate] = useLocation()
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } }, { enabled: open })
  const writable = spaces.data?.items.filter(({ permissions }) => permissions.edit) ?? []
  const [chosen, choose] = useState<string | undefined>()
  const [title, setTitle] = useState<string | undefined>()
  const [grouping, setGrouping] = useState<'by-tag' | 'by-operation'>('by-tag')
  const [hasModels, setHasModels] = useState(true)
  const space = writable.find(({ id }) => id === chosen) ?? writable[0]
  const isLocked = space?.editMode === 'locked'
  const name = title ?? specSlug
  const put = useAction(
    async (into: string) => {
      const request = isLocked
        ? await call('createChangeRequest', {
            spaceId: into,
            body: { subject: words.subject(specSlug).slice(0, 100) },
          })
        : undefined
      const content = { space: into, ...(request ? { changeRequest: request.id } : {}) }
      const [change] = await write(content, [
        {
          operation: 'insert_page',
          type: 'computed',
          title: name.trim(),
          document: { markdown: '' },
          computed: {
            type: 'builtin:openapi',
            props: { grouping, models: hasModels },
            dependencies: { spec: { ref: { kind: 'openapi', spec: specSlug } } },
          },
        },
      ])
      const page = change?.object === 'created_page' ? change.page.id : undefined
      return page === undefined ? paths.space(into) : paths.page(into, page, request?.number)
    },
    {
      refreshes: ['listChangeRequestsForSpace', 'getSpaceById'],
      onDone: (path) => {
        onClose()
        showDone(words.isIn, { label: words.openPage, run: () => navigate(path) })
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.putIn.replace(/\s*…$/, '')}
      action={words.put}
      busy={put.isPending}
      disabled={!space || name.trim() === ''}
      onSubmit={() => space && put.mutate(space.id)}
    >
      <p className="ui-quiet">{words.putInText}</p>
      {spaces.data && writable.length === 0 ? (
        <p>{words.noSpaces}</p>
      ) : (
        <>
          <Select
            label={words.space}
            hint={isLocked ? words.lockedHint : undefined}
            value={space?.id ?? ''}
            onChange={({ target }) => choose(target.value)}
            options={writable.map(({ id, title: label }) => ({ value: id, label: label || t.common.untitled }))}
          />
          <TextField
            label={words.pageTitle}
            maxLength={100}
            value={name}
            onChange={({ target }) => setTitle(target.value)}
          />
          <Select
            label={words.grouping}
            value={grouping}
            onChange={({ target }) => setGrouping(target.value === 'by-operation' ? 'by-operation' : 'by-tag')}
            options={[
              { value: 'by-tag', label: words.byTag },
              { value: 'by-operation', label: words.byOperation },
            ]}
          />
          <Check label={words.withModels} checked={hasModels} onChange={({ target }) => setHasModels(target.checked)} />
        </>
      )}
    </FormDialog>
  )
}
