/** People are invited by their e-mail addresses, as they are typed or copied from a letter. */
import { useState } from 'react'
import { FormDialog } from '../kit/dialog.tsx'
import { Check, TextArea } from '../kit/field.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { asRole, memberRoles, type RoleOrGuest, RoleSelect } from '../rights/roles.tsx'
import { call } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { addressesIn, isAddress } from './addresses.ts'
import type { PartOfOrganization } from './organization-screen.tsx'

interface InviteDialogProps extends PartOfOrganization {
  open: boolean
  onClose: () => void
}

export function InviteDialog({ open, onClose, organization }: InviteDialogProps) {
  const [emails, setEmails] = useState('')
  const [role, setRole] = useState<RoleOrGuest>('edit')
  const [sso, setSso] = useState(false)
  const list = addressesIn(emails)
  const wrong = list.filter((email) => !isAddress(email))
  const [isChecked, setIsChecked] = useState(false)
  const invite = useFormAction(
    () =>
      call('inviteUsersToOrganization', {
        organizationId: organization.id,
        body: { emails: list, role: asRole(role), ...(sso && { sso }) },
      }),
    {
      refreshes: ['listMembersInOrganizationById'],
      onDone: ({ invited }) => {
        onClose()
        showDone(texts.invite.done(invited))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.invite.title}
      action={texts.invite.title}
      busy={invite.isPending}
      disabled={list.length === 0}
      onSubmit={() => {
        setIsChecked(true)
        if (wrong.length === 0) invite.mutate(undefined)
      }}
    >
      <TextArea
        label={texts.invite.emails}
        hint={texts.invite.hint}
        value={emails}
        onChange={({ target }) => setEmails(target.value)}
      />
      {isChecked && wrong.length > 0 && (
        <p className="ui-problem" role="alert">
          <strong>{texts.invite.noAddress}</strong> <span>{wrong.join(', ')}</span>
        </p>
      )}
      <RoleSelect value={role} among={memberRoles} onChoose={setRole} />
      <Check label={texts.invite.sso} checked={sso} onChange={({ target }) => setSso(target.checked)} />
      <FormProblem error={invite.error} />
    </FormDialog>
  )
}
