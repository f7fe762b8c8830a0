/** A provider begins with a name and a kind: what it is told of us exists only then. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../../frame/paths.ts'
import { FormDialog } from '../../kit/dialog.tsx'
import { Select, TextField } from '../../kit/field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { call } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { organizationTexts } from '../../texts/organization.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'
import { staleProviders } from '../stale.ts'

const texts = organizationTexts.signIn

interface NewProviderDialogProps extends PartOfOrganization {
  open: boolean
  onClose: () => void
}

export function NewProviderDialog({ open, onClose, organization }: NewProviderDialogProps) {
  const [label, setLabel] = useState('')
  const [kind, setKind] = useState<'saml' | 'oidc'>('saml')
  const [, navigate] = useLocation()
  const create = useFormAction(
    async (): Promise<{ id: string }> => {
      const input = { organizationId: organization.id, body: { label: label.trim() } }
      return kind === 'saml' ? call('createOrganizationSAMLProvider', input) : call('createOIDCProvider', input)
    },
    {
      refreshes: staleProviders,
      onDone: ({ id }) => {
        onClose()
        navigate(paths.provider(organization.id, kind, id))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.newProvider}
      action={t.common.create}
      busy={create.isPending}
      disabled={label.trim() === ''}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextField
        label={texts.label}
        hint={texts.labelHint}
        maxLength={64}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
      />
      <Select
        label={texts.kind}
        hint={texts.kindHint}
        value={kind}
        onChange={({ target }) => setKind(target.value === 'oidc' ? 'oidc' : 'saml')}
        options={[
          { value: 'saml', label: texts.kinds.saml },
          { value: 'oidc', label: texts.kinds.oidc },
        ]}
      />
      <FormProblem error={create.error} />
    </FormDialog>
  )
}
