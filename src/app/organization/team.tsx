/** One team: its people and what each is in it. Its owners look after them, whatever their role in the organization. */
import { ArrowLeft, Pencil, Trash2, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { type Asked, useAsked } from '../kit/asked.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { TextField } from '../kit/field.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { KeptList } from '../kit/lists/kept-list.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { showDone } from '../kit/toast.tsx'
import { RoleMenu } from '../rights/roles.tsx'
import { call, type Output, refresh, useAction, useCall } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { useLongList } from '../session/long-list.ts'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { AddToTeamDialog } from './add-to-team.tsx'
import type { PartOfOrganization } from './organization-screen.tsx'
import { staleTeams } from './stale.ts'
import type { Team } from './teams.tsx'

type TeamMember = Output<'listTeamMembersInOrganizationById'>['items'][number]

export function TeamDetails({ organization, teamId }: PartOfOrganization & { teamId: string }) {
  const team = useCall('getTeamInOrganizationById', { organizationId: organization.id, teamId })
  return (
    <>
      <p className="ui-back">
        <Link className="ui-link" href={paths.organizationTab(organization.id, 'teams')}>
          <ArrowLeft size={14} strokeWidth={1.75} aria-hidden="true" />
          {texts.teams.back}
        </Link>
      </p>
      <Loaded query={team}>{(data) => <TeamParts team={data} organization={organization} />}</Loaded>
    </>
  )
}

function TeamParts({ team, organization }: PartOfOrganization & { team: Team }) {
  const members = useLongList('listTeamMembersInOrganizationById', {
    organizationId: organization.id,
    teamId: team.id,
  })
  const adding = useAsked<true>()
  const renaming = useAsked<true>()
  const removing = useAsked<true>()
  const canManage = team.permissions.admin
  return (
    <section aria-labelledby="team">
      <header className="ui-heading">
        <h2 id="team">{team.title}</h2>
        <div className="ui-heading-actions">
          {canManage && (
            <>
              <Button icon={Pencil} onClick={() => renaming.ask(true)}>
                {texts.teams.rename}
              </Button>
              {organization.permissions.admin && (
                <Button kind="danger" icon={Trash2} onClick={() => removing.ask(true)}>
                  {texts.teams.remove}
                </Button>
              )}
              <Button kind="primary" icon={UserPlus} onClick={() => adding.ask(true)}>
                {texts.teams.add}
              </Button>
            </>
          )}
        </div>
      </header>
      <Loaded query={members}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Users} title={canManage ? texts.teams.nobody : texts.teams.nobodyReader} />
          ) : (
            <KeptList>
              {items.map((item) => (
                <TeamMemberRow key={item.organization.id} item={item} team={team} organization={organization} />
              ))}
            </KeptList>
          )
        }
      </Loaded>
      <MoreButton list={members} />
      <AddToTeamDialog
        key={`add ${adding.key}`}
        open={adding.open}
        onClose={adding.close}
        organization={organization}
        team={team}
        there={(members.data?.items ?? []).map((item) => item.organization.user.id)}
      />
      <RenameTeamDialog key={`rename ${renaming.key}`} asked={renaming} organization={organization} team={team} />
      <RemoveTeamDialog key={`remove ${removing.key}`} asked={removing} organization={organization} team={team} />
    </section>
  )
}

const teamRoles = ['owner', 'member'] as const
type TeamRole = (typeof teamRoles)[number]
const teamRoleChoices = teamRoles.map((value) => ({
  value,
  name: texts.teams.roleNames[value],
  meaning: texts.teams.roleMeanings[value],
}))

interface TeamMemberRowProps extends PartOfOrganization {
  item: TeamMember
  team: Team
}

function TeamMemberRow({ item, team, organization }: TeamMemberRowProps) {
  const { user, disabled } = item.organization
  const { role } = item.team
  const input = { organizationId: organization.id, teamId: team.id, userId: user.id }
  const put = (to: TeamRole) => call('addMemberToOrganizationTeamById', { ...input, body: { role: to } })
  const backTo = (before: TeamRole) => ({
    label: t.common.undo,
    run: () => void put(before).then(() => refresh(...staleTeams)),
  })
  const update = useAction(put, {
    refreshes: staleTeams,
    onDone: (_result, to) => showDone(texts.roleChanged(user.displayName, texts.teams.roleNames[to]), backTo(role)),
  })
  const remove = useAction(() => call('deleteMemberFromOrganizationTeamById', input), {
    refreshes: staleTeams,
    onDone: () => showDone(texts.teams.takenOut(user.displayName), backTo(role)),
  })
  return (
    <li className="ui-row ui-person" data-off={disabled || undefined}>
      <Avatar name={user.displayName} photo={user.photoURL} />
      <span className="title">
        {user.displayName}
        <small>{user.email}</small>
      </span>
      {team.permissions.admin ? (
        <RoleMenu
          name={user.displayName}
          role={role}
          among={teamRoleChoices}
          onChoose={(to) => update.mutate(to)}
          remove={{ label: texts.teams.takeOut, run: () => remove.mutate(undefined) }}
        />
      ) : (
        <span className="meta">{texts.teams.roleNames[role]}</span>
      )}
    </li>
  )
}

interface AboutTeamProps extends PartOfOrganization {
  team: Team
  asked: Asked<true>
}

function RenameTeamDialog({ team, asked, organization }: AboutTeamProps) {
  const [title, setTitle] = useState(team.title)
  const rename = useFormAction(
    () =>
      call('updateTeamInOrganizationById', {
        organizationId: organization.id,
        teamId: team.id,
        body: { title: title.trim() },
      }),
    {
      refreshes: staleTeams,
      onDone: () => {
        asked.close()
        showDone(texts.teams.renamed)
      },
    },
  )
  return (
    <FormDialog
      open={asked.open}
      onClose={asked.close}
      title={texts.teams.rename}
      action={texts.teams.rename}
      busy={rename.isPending}
      disabled={title.trim() === ''}
      onSubmit={() => rename.mutate(undefined)}
    >
      <TextField
        label={texts.teams.name}
        maxLength={64}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <FormProblem error={rename.error} />
    </FormDialog>
  )
}

function RemoveTeamDialog({ team, asked, organization }: AboutTeamProps) {
  const [, navigate] = useLocation()
  const remove = useFormAction(
    () => call('removeTeamFromOrganizationById', { organizationId: organization.id, teamId: team.id }),
    {
      onDone: () => {
        asked.close()
        navigate(paths.organizationTab(organization.id, 'teams'))
        void refresh('listTeamsInOrganizationById', 'listTeamsForOrganizationMember')
        showDone(texts.teams.removed(team.title))
      },
    },
  )
  return (
    <FormDialog
      open={asked.open}
      onClose={asked.close}
      title={texts.teams.removeTitle(team.title)}
      action={texts.teams.remove}
      busy={remove.isPending}
      onSubmit={() => remove.mutate(undefined)}
    >
      <p>{texts.teams.removeText}</p>
      <FormProblem error={remove.error} />
    </FormDialog>
  )
}
