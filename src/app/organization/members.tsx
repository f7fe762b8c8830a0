/** The people of the organization: found, invited, given other roles. */
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useAsked } from '../kit/asked.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { Select, TextField } from '../kit/field.tsx'
import { useDelayed } from '../kit/lists/delayed.ts'
import { KeptList } from '../kit/lists/kept-list.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { When } from '../kit/when.tsx'
import { InviteLinks } from '../rights/invite-links.tsx'
import { memberRoles, nameOfRole, type RoleOrGuest, RolesExplained } from '../rights/roles.tsx'
import type { Output } from '../session/client.ts'
import { useLongList } from '../session/long-list.ts'
import { useSession } from '../session/session.tsx'
import { organizationTexts as texts } from '../texts/organization.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberDialog } from './member-dialog.tsx'
import type { PartOfOrganization } from './organization-screen.tsx'

export type Member = Output<'getMemberInOrganizationById'>

export function Members({ organization }: PartOfOrganization) {
  const organizationId = organization.id
  const isAdmin = organization.permissions.admin
  const [words, setWords] = useState('')
  const [role, setRole] = useState<RoleOrGuest | ''>('')
  const search = useDelayed(words.trim())
  const members = useLongList('listMembersInOrganizationById', {
    organizationId,
    query: { sort: 'name', order: 'asc', ...(search && { search }), ...(role && { role }) },
  })
  const invite = useAsked<true>()
  const shown = useAsked<Member>()
  return (
    <>
      <div className="ui-filters">
        <TextField
          type="search"
          label={texts.members.search}
          maxLength={256}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Select
          label={texts.role}
          value={role}
          onChange={({ target }) => setRole(memberRoles.find((one) => one === target.value) ?? '')}
          options={[
            { value: '', label: texts.allRoles },
            ...memberRoles.map((value) => ({ value, label: texts.roleNames[value] })),
          ]}
        />
        {isAdmin && (
          <Button kind="primary" icon={UserPlus} onClick={() => invite.ask(true)}>
            {texts.invite.title}
          </Button>
        )}
      </div>
      <Loaded query={members}>
        {({ items, count }) => (
          <>
            <p className="ui-hint" role="status">
              {texts.members.count(count)}
            </p>
            {items.length === 0 && <Empty icon={Users} title={texts.members.none} />}
            <KeptList>
              {items.map((member) => (
                <MemberRow key={member.id} member={member} onOpen={() => shown.ask(member)} />
              ))}
            </KeptList>
          </>
        )}
      </Loaded>
      <MoreButton list={members} />
      <RolesExplained />
      {isAdmin && <InviteLinks organization={organization} />}
      <InviteDialog
        key={`invite ${invite.key}`}
        open={invite.open}
        onClose={invite.close}
        organization={organization}
      />
      <MemberDialog
        key={`member ${shown.key}`}
        open={shown.open}
        onClose={shown.close}
        organization={organization}
        member={shown.about}
      />
    </>
  )
}

function MemberRow({ member, onOpen }: { member: Member; onOpen: () => void }) {
  const { user: me } = useSession()
  const { user, role, disabled, sso, lastSeenAt } = member
  return (
    <li>
      <button
        type="button"
        className="ui-row ui-person"
        data-off={disabled || undefined}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        <Avatar name={user.displayName} photo={user.photoURL} />
        <span className="title">
          {user.displayName}
          {user.id === me.id && ` (${texts.members.you})`}
          <small>{user.email}</small>
        </span>
        {disabled && <span className="ui-state">{texts.members.disabled}</span>}
        {sso && <span className="meta ui-wide-only">{texts.members.sso}</span>}
        {lastSeenAt && (
          <span className="meta ui-wide-only">
            <When time={lastSeenAt} />
          </span>
        )}
        <span className="meta">{nameOfRole(role)}</span>
      </button>
    </li>
  )
}
