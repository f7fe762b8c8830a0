/** One member: the role, how they sign in, their teams and what they see; the way out of the organization. */
import { KeyRound, UserMinus } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { useAsked } from '../kit/asked.ts'
import { Button } from '../kit/button.tsx'
import { Dialog, FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { asRole, choicesAmong, memberRoles, nameOfRole, RoleMenu, type RoleOrGuest } from '../rights/roles.tsx'
import { call, type Name, refresh, useAction, useCall } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { useLongList } from '../session/long-list.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import type { Member } from './members.tsx'
import type { PartOfOrganization } from './organization-screen.tsx'
import { staleMembers } from './stale.ts'

interface MemberDialogProps extends PartOfOrganization {
  member: Member | undefined
  open: boolean
  onClose: () => void
}

export const MemberDialog = ({ member, open, onClose, organization }: MemberDialogProps) => (
  <Dialog open={open} onClose={onClose} title={member?.user.displayName ?? ''} side>
    {member && <MemberDetails member={member} organization={organization} onGone={onClose} />}
  </Dialog>
)

interface MemberDetailsProps extends PartOfOrganization {
  member: Member
  onGone: () => void
}

function MemberDetails({ member: listed, organization, onGone }: MemberDetailsProps) {
  const organizationId = organization.id
  const userId = listed.user.id
  const { user: me } = useSession()
  const known = useCall('getMemberInOrganizationById', { organizationId, userId })
  const member = known.data ?? listed
  const { user, role, disabled, sso, joinedAt, lastSeenAt } = member
  const isAdmin = organization.permissions.admin
  const admins = useCall(
    'listMembersInOrganizationById',
    { organizationId, query: { role: 'admin', limit: 1 } },
    { enabled: isAdmin },
  )
  const isLastAdmin = role === 'admin' && admins.data?.count === 1
  const removing = useAsked<true>()
  const requiring = useAsked<true>()
  return (
    <>
      <dl className="ui-facts">
        <dt>{texts.role}</dt>
        <dd>
          {isAdmin && !isLastAdmin ? <ChangeRole member={member} organization={organization} /> : nameOfRole(role)}
          {isLastAdmin && isAdmin && <p className="ui-hint">{texts.members.lastAdmin}</p>}
        </dd>
        <dt>{texts.members.email}</dt>
        <dd>{user.email}</dd>
        <dt>{texts.members.joined}</dt>
        <dd>
          <When time={joinedAt} />
        </dd>
        <dt>{texts.members.seen}</dt>
        <dd>{lastSeenAt ? <When time={lastSeenAt} /> : texts.members.never}</dd>
        <dt>{texts.members.signIn}</dt>
        <dd>{disabled ? texts.members.disabledText : sso ? texts.members.signInSso : texts.members.signInAny}</dd>
      </dl>
      <TeamsOfMember organizationId={organizationId} userId={userId} />
      <SpacesOfMember organizationId={organizationId} userId={userId} />
      {isAdmin && (
        <div className="ui-request-actions">
          {!sso && (
            <Button icon={KeyRound} onClick={() => requiring.ask(true)}>
              {texts.members.requireSso}
            </Button>
          )}
          {userId !== me.id && !isLastAdmin && (
            <Button kind="danger" icon={UserMinus} onClick={() => removing.ask(true)}>
              {texts.members.remove}
            </Button>
          )}
        </div>
      )}
      <RemoveDialog
        key={`remove ${removing.key}`}
        open={removing.open}
        onClose={removing.close}
        onGone={onGone}
        organization={organization}
        member={member}
      />
      <RequireSsoDialog
        key={`sso ${requiring.key}`}
        open={requiring.open}
        onClose={requiring.close}
        organization={organization}
        member={member}
      />
    </>
  )
}

function ChangeRole({ member, organization }: PartOfOrganization & { member: Member }) {
  const { user: me } = useSession()
  const { user, role } = member
  const input = { organizationId: organization.id, userId: user.id }
  const stale: Name[] = [...staleMembers, 'listOrganizationsForAuthenticatedUser']
  const change = (to: RoleOrGuest) => call('updateMemberInOrganizationById', { ...input, body: { role: asRole(to) } })
  const update = useAction(change, {
    refreshes: stale,
    onDone: (_result, to) =>
      showDone(
        texts.roleChanged(user.displayName, texts.roleNames[to]),
        // Who gave up being an admin cannot take it back.
        user.id === me.id
          ? undefined
          : { label: t.common.undo, run: () => void change(role ?? 'guest').then(() => refresh(...stale)) },
      ),
  })
  const steppingDown = useAsked<RoleOrGuest>()
  const next = steppingDown.about ?? 'guest'
  return (
    <>
      <RoleMenu
        name={user.displayName}
        role={role ?? 'guest'}
        among={choicesAmong(memberRoles)}
        onChoose={(to) => (user.id === me.id ? steppingDown.ask(to) : update.mutate(to))}
      />
      <FormDialog
        open={steppingDown.open}
        onClose={steppingDown.close}
        title={texts.members.stepDownTitle}
        action={texts.members.stepDown}
        busy={update.isPending}
        onSubmit={() => update.mutate(next)}
      >
        <p>{texts.members.stepDownText(texts.roleNames[next])}</p>
      </FormDialog>
    </>
  )
}

interface AboutMemberProps extends PartOfOrganization {
  member: Member
  open: boolean
  onClose: () => void
}

function RemoveDialog({ member, organization, open, onClose, onGone }: AboutMemberProps & { onGone: () => void }) {
  const { id: userId, displayName } = member.user
  const remove = useFormAction(
    () => call('removeMemberFromOrganizationById', { organizationId: organization.id, userId }),
    {
      refreshes: staleMembers,
      onDone: () => {
        onClose()
        onGone()
        showDone(texts.members.removed(displayName))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.members.removeTitle(displayName)}
      action={texts.members.remove}
      busy={remove.isPending}
      onSubmit={() => remove.mutate(undefined)}
    >
      <p>{texts.members.removeText(displayName)}</p>
      <FormProblem error={remove.error} />
    </FormDialog>
  )
}

function RequireSsoDialog({ member, organization, open, onClose }: AboutMemberProps) {
  const { id: userId, displayName } = member.user
  const demand = useFormAction(
    () => call('setUserAsSSOMemberForOrganization', { organizationId: organization.id, userId }),
    {
      refreshes: staleMembers,
      onDone: () => {
        onClose()
        showDone(texts.members.ssoRequired(displayName))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.members.requireSso}
      action={texts.members.requireSso}
      busy={demand.isPending}
      onSubmit={() => demand.mutate(undefined)}
    >
      <p>{texts.members.requireSsoText(displayName)}</p>
      <FormProblem error={demand.error} />
    </FormDialog>
  )
}

function TeamsOfMember({ organizationId, userId }: { organizationId: string; userId: string }) {
  const teams = useLongList('listTeamsForOrganizationMember', { organizationId, userId })
  return (
    <section aria-labelledby="member-teams">
      <h2 id="member-teams">{texts.members.teams}</h2>
      <Loaded query={teams} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{texts.members.noTeams}</p>
          ) : (
            <ul className="ui-list">
              {items.map(({ team, member }) => (
                <li key={team.id}>
                  <Link className="ui-row" href={paths.team(organizationId, team.id)}>
                    <span className="title">{team.title}</span>
                    {member.role === 'owner' && <span className="meta">{texts.members.owner}</span>}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={teams} />
    </section>
  )
}

function SpacesOfMember({ organizationId, userId }: { organizationId: string; userId: string }) {
  const spaces = useLongList('listSpacesForOrganizationMember', { organizationId, userId })
  return (
    <section aria-labelledby="member-spaces">
      <h2 id="member-spaces">{texts.members.spaces}</h2>
      <Loaded query={spaces} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{texts.members.noSpaces}</p>
          ) : (
            <ul className="ui-list">
              {items.map(({ space, permission }) => (
                <li key={space.id}>
                  <Link className="ui-row" href={paths.space(space.id)}>
                    <span className="title">{space.title || t.common.untitled}</span>
                    <span className="meta">{nameOfRole(permission)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={spaces} />
    </section>
  )
}
