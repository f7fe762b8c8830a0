/** Members are added to a team. Whoever owns it as a guest cannot look members up, and names them by e-mail address. */
import { useState } from 'react'
import { FormDialog } from '../kit/dialog.tsx'
import { TextArea } from '../kit/field.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { nobody, PeoplePicker } from '../rights/people-picker.tsx'
import { call } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { addressesIn } from './addresses.ts'
import type { PartOfOrganization } from './organization-screen.tsx'
import { staleTeams } from './stale.ts'
import type { Team } from './teams.tsx'

interface AddToTeamDialogProps extends PartOfOrganization {
  open: boolean
  onClose: () => void
  team: Team
  there: readonly string[]
}

export function AddToTeamDialog({ open, onClose, organization, team, there }: AddToTeamDialogProps) {
  const [picked, pick] = useState(nobody)
  const [emails, setEmails] = useState('')
  const listsMembers = organization.permissions.listMembers
  const who = listsMembers ? [...picked.users] : addressesIn(emails)
  const add = useFormAction(
    () =>
      call('updateMembersInOrganizationTeam', {
        organizationId: organization.id,
        teamId: team.id,
        body: { add: who },
      }),
    {
      refreshes: staleTeams,
      onDone: () => {
        onClose()
        showDone(texts.teams.added(who.length))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.teams.add}
      action={texts.teams.addMembers}
      busy={add.isPending}
      disabled={who.length === 0}
      onSubmit={() => add.mutate(undefined)}
    >
      {listsMembers ? (
        <PeoplePicker
          organizationId={organization.id}
          picked={picked}
          there={{ ...nobody, users: there }}
          onPick={pick}
        />
      ) : (
        <TextArea
          label={texts.pick.byEmail}
          hint={texts.invite.hint}
          value={emails}
          onChange={({ target }) => setEmails(target.value)}
        />
      )}
      <FormProblem error={add.error} />
    </FormDialog>
  )
}
