/** A person or a team with their role on something. It is changed and taken away where it was given. */
import { Users } from 'lucide-react'
import type { Role } from '../../core/permissions.ts'
import { useAsked } from '../kit/asked.ts'
import { Avatar } from '../kit/avatar.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { showDone } from '../kit/toast.tsx'
import { refresh, useAction } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { type Grant, give, type Shared, type SubjectKind, staleGrants, takeAway } from './grants.ts'
import { choicesAmong, givenRoles, nameOfRole, RoleMenu } from './roles.tsx'

export interface Subject {
  kind: SubjectKind
  id: string
  role: Role
  name: string
  detail?: string | undefined
  photo?: string | undefined
}

export function GrantRow({ subject, shared }: { subject: Subject; shared: Shared }) {
  const { user: me, organization } = useSession()
  const { kind, id, role, name, detail, photo } = subject
  const grantOf = (to: Role): Grant => ({ role: to, ...(kind === 'user' ? { users: [id] } : { teams: [id] }) })
  const change = useAction((to: Role | undefined) => (to ? give(shared, grantOf(to)) : takeAway(shared, kind, id)), {
    refreshes: staleGrants,
    onDone: (_result, to) =>
      showDone(
        to ? texts.roleChanged(name, nameOfRole(to)) : texts.rights.takenAway(name),
        // Who gave up the charge of it cannot take it back.
        isOwnCharge ? undefined : { label: t.common.undo, run: () => void bringBack() },
      ),
  })
  const bringBack = () => give(shared, grantOf(role)).then(() => refresh(...staleGrants))
  const isOwnCharge = kind === 'user' && id === me.id && organization?.permissions.admin !== true
  const asking = useAsked<{ to: Role | undefined }>()
  const choose = (to: Role | undefined): void => (isOwnCharge ? asking.ask({ to }) : change.mutate(to))
  return (
    <li className="ui-row ui-person">
      {kind === 'team' ? (
        <Users size={16} strokeWidth={1.75} aria-hidden="true" />
      ) : (
        <Avatar name={name} photo={photo} />
      )}
      <span className="title">
        {name}
        {detail && <small>{detail}</small>}
      </span>
      {shared.canAdminister ? (
        <RoleMenu
          name={name}
          role={role}
          among={choicesAmong(givenRoles)}
          onChoose={choose}
          remove={{ label: texts.rights.takeAway, run: () => choose(undefined) }}
        />
      ) : (
        <span className="meta">{nameOfRole(role)}</span>
      )}
      <FormDialog
        open={asking.open}
        onClose={asking.close}
        title={texts.rights.giveUpTitle}
        action={texts.rights.giveUp}
        busy={change.isPending}
        onSubmit={() => {
          asking.close()
          change.mutate(asking.about?.to)
        }}
      >
        <p>{texts.rights.giveUpText}</p>
      </FormDialog>
    </li>
  )
}
