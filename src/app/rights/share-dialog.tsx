/** Members and teams are given a role on a space, a collection or a site. */
import { useState } from 'react'
import type { Role } from '../../core/permissions.ts'
import { FormDialog } from '../kit/dialog.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { useFormAction } from '../session/form-action.ts'
import { useOrganization } from '../session/session.tsx'
import { organizationTexts as texts } from '../texts/organization.ts'
import { give, type Shared, staleGrants } from './grants.ts'
import { nobody, PeoplePicker, type Picked } from './people-picker.tsx'
import { givenRoles, RoleSelect } from './roles.tsx'

interface ShareDialogProps {
  open: boolean
  onClose: () => void
  shared: Shared
  there: Picked
}

export function ShareDialog({ open, onClose, shared, there }: ShareDialogProps) {
  const organization = useOrganization()
  const [picked, pick] = useState(nobody)
  const [role, setRole] = useState<Role>('edit')
  const add = useFormAction(() => give(shared, { role, users: [...picked.users], teams: [...picked.teams] }), {
    refreshes: staleGrants,
    onDone: () => {
      onClose()
      showDone(texts.rights.shared(shared.title))
    },
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.rights.shareTitle(shared.title)}
      action={texts.rights.share}
      busy={add.isPending}
      disabled={picked.users.length + picked.teams.length === 0}
      onSubmit={() => add.mutate(undefined)}
    >
      <PeoplePicker
        organizationId={shared.organizationId}
        picked={picked}
        there={there}
        withTeams={organization.permissions.listTeams}
        onPick={pick}
      />
      <RoleSelect value={role} among={givenRoles} onChoose={setRole} />
      <p className="ui-hint">{texts.rights.notYet}</p>
      <FormProblem error={add.error} />
    </FormDialog>
  )
}
