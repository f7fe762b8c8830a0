/** The questions behind "New space" and "New collection". */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { FormDialog } from '../kit/dialog.tsx'
import { Select, TextField } from '../kit/field.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'

interface NewSpaceProps {
  open: boolean
  onClose: () => void
  organizationId: string
  collections?: readonly { id: string; title: string }[]
}

export function NewSpaceDialog({ open, onClose, organizationId, collections = [] }: NewSpaceProps) {
  const [title, setTitle] = useState('')
  const [parent, setParent] = useState('')
  const [template, setTemplate] = useState('')
  const [, navigate] = useLocation()
  const templates = useCall('listTemplates', {}, { enabled: open, staleTime: Number.POSITIVE_INFINITY })
  const create = useAction(
    () =>
      call('createSpace', {
        organizationId,
        body: {
          title: title.trim(),
          editMode: 'live',
          ...(parent === '' ? {} : { parent }),
          ...(template === '' ? { empty: true } : { template: { id: template } }),
        },
      }),
    {
      refreshes: ['listSpacesInOrganizationById'],
      onDone: ({ id }) => {
        onClose()
        setTitle('')
        navigate(paths.space(id))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.spaces.newSpace}
      action={t.common.create}
      busy={create.isPending}
      disabled={title.trim() === ''}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextField
        label={t.spaces.name}
        placeholder={t.spaces.namePlaceholder}
        maxLength={50}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      {collections.length > 0 && (
        <Select
          label={t.spaces.collection}
          value={parent}
          onChange={({ target }) => setParent(target.value)}
          options={[
            { value: '', label: t.spaces.noCollection },
            ...collections.map(({ id, title: label }) => ({ value: id, label })),
          ]}
        />
      )}
      <Select
        label={t.spaces.template}
        value={template}
        onChange={({ target }) => setTemplate(target.value)}
        options={[
          { value: '', label: t.spaces.templateNone },
          ...(templates.data?.items ?? []).map(({ id, title: label }) => ({ value: id, label })),
        ]}
      />
    </FormDialog>
  )
}

export function NewCollectionDialog({ open, onClose, organizationId }: Omit<NewSpaceProps, 'collections'>) {
  const [title, setTitle] = useState('')
  const create = useAction(() => call('createCollection', { organizationId, body: { title: title.trim() } }), {
    refreshes: ['listCollectionsInOrganizationById'],
    onDone: () => {
      setTitle('')
      onClose()
    },
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.spaces.newCollection}
      action={t.common.create}
      busy={create.isPending}
      disabled={title.trim() === ''}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextField
        label={t.spaces.name}
        hint={t.spaces.collectionHint}
        maxLength={50}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
    </FormDialog>
  )
}
