/** The people of the organization, and the way to invite more. */

import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { roles as allRoles, type Role } from '../../core/permissions.ts'
import { Frame, Top } from '../frame/frame.tsx'
import { HomeSide } from '../home/home-side.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { SavedField, Select, TextArea } from '../kit/field.tsx'
import { showDone, showProblem } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'

/** The most able first. */
const roles = [...allRoles].reverse()

/** As they are typed, or copied from a letter: `Ada Lovelace <ada@example.org>`. */
const addressesIn = (text: string): string[] =>
  text
    .replace(/[^,;\n]*<([^<>]*)>/g, ' $1 ')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')

export default function MembersScreen() {
  const organization = useOrganization()
  const organizationId = organization.id
  const members = useCall('listMembersInOrganizationById', {
    organizationId,
    query: { limit: 1000, sort: 'name', order: 'asc' },
  })
  const [asking, setAsking] = useState(false)
  const [emails, setEmails] = useState('')
  const [role, setRole] = useState<Role>('edit')
  const rename = useAction((title: string) => call('updateOrganizationById', { organizationId, body: { title } }), {
    refreshes: ['listOrganizationsForAuthenticatedUser'],
    onDone: () => showDone(t.common.saved),
  })
  const list = addressesIn(emails)
  const wrong = list.filter((email) => !/^[^@]+@[^@]+$/.test(email))
  const invite = useAction(() => call('inviteUsersToOrganization', { organizationId, body: { emails: list, role } }), {
    refreshes: ['listMembersInOrganizationById'],
    onDone: ({ invited }) => {
      setAsking(false)
      setEmails('')
      showDone(t.organization.invited(invited))
    },
  })
  return (
    <Frame side={<HomeSide />}>
      <Top title={t.organization.members}>
        {organization.permissions.admin && (
          <Button kind="primary" icon={UserPlus} onClick={() => setAsking(true)}>
            {t.organization.invite}
          </Button>
        )}
      </Top>
      <h1 className="sr">{t.organization.members}</h1>
      {organization.permissions.admin && (
        <div className="ui-form ui-two">
          <SavedField
            label={t.organization.nameOf}
            value={organization.title}
            maxLength={255}
            least={2}
            onSave={(title) => rename.mutate(title)}
          />
        </div>
      )}
      <Loaded query={members}>
        {({ items }) => (
          <ul className="ui-list">
            {items.map(({ id, user, role: level, lastSeenAt, disabled }) => (
              <li key={id} className="ui-row" data-off={disabled || undefined}>
                <Avatar name={user.displayName} photo={user.photoURL} />
                <span className="title">
                  {user.displayName}
                  <small>{user.email}</small>
                </span>
                <span className="meta">{t.organization.roles[level ?? 'guest']?.split(':')[0]}</span>
                {lastSeenAt && (
                  <span className="meta ui-wide-only">
                    <When time={lastSeenAt} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.organization.invite}
        action={t.organization.invite}
        busy={invite.isPending}
        disabled={list.length === 0}
        onSubmit={() => {
          if (wrong.length === 0) invite.mutate(undefined)
          else showProblem({ title: t.organization.noAddress, text: wrong.join(', ') })
        }}
      >
        <TextArea
          label={t.organization.inviteEmails}
          hint={t.organization.inviteHint}
          value={emails}
          onChange={({ target }) => setEmails(target.value)}
        />
        <Select
          label={t.organization.role}
          value={role}
          onChange={({ target }) => setRole(roles.find((value) => value === target.value) ?? 'edit')}
          options={roles.map((value) => ({ value, label: t.organization.roles[value] }))}
        />
      </FormDialog>
    </Frame>
  )
}
