/** The teams of the organization; a guest has those they are in. */
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { paths } from '../frame/paths.ts'
import { useAsked } from '../kit/asked.ts'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { TextField } from '../kit/field.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { useDelayed } from '../kit/lists/delayed.ts'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { call, type Output } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { useLongList } from '../session/long-list.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import type { PartOfOrganization } from './organization-screen.tsx'
import { TeamDetails } from './team.tsx'

export type Team = Output<'getTeamInOrganizationById'>

export function TeamsOrTeam({ organization }: PartOfOrganization) {
  const { first } = useParams<{ first?: string }>()
  if (first !== undefined) return <TeamDetails key={first} organization={organization} teamId={first} />
  return organization.permissions.listTeams ? (
    <Teams organization={organization} />
  ) : (
    <OwnTeams organization={organization} />
  )
}

function Teams({ organization }: PartOfOrganization) {
  const [words, setWords] = useState('')
  const title = useDelayed(words.trim())
  const teams = useLongList('listTeamsInOrganizationById', {
    organizationId: organization.id,
    query: title ? { title } : {},
  })
  const asking = useAsked<true>()
  const isAdmin = organization.permissions.admin
  const button = isAdmin && (
    <Button kind="primary" icon={Plus} onClick={() => asking.ask(true)}>
      {texts.teams.new}
    </Button>
  )
  const isEmpty = teams.data?.count === 0 && title === ''
  return (
    <>
      {!isEmpty && (
        <div className="ui-filters">
          <TextField
            type="search"
            label={texts.teams.search}
            maxLength={256}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          {button}
        </div>
      )}
      <Loaded query={teams}>
        {({ items }) =>
          isEmpty ? (
            <Empty
              icon={Users}
              title={texts.teams.emptyTitle}
              text={isAdmin ? texts.teams.emptyText : texts.teams.emptyReader}
            >
              {button}
            </Empty>
          ) : items.length === 0 ? (
            <Empty icon={Users} title={texts.teams.none} />
          ) : (
            <ul className="ui-list">
              {items.map((team) => (
                <TeamRow key={team.id} team={team} organizationId={organization.id} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={teams} />
      <NewTeamDialog key={asking.key} open={asking.open} onClose={asking.close} organization={organization} />
    </>
  )
}

function OwnTeams({ organization }: PartOfOrganization) {
  const { user } = useSession()
  const teams = useLongList('listTeamsForOrganizationMember', { organizationId: organization.id, userId: user.id })
  return (
    <>
      <Loaded query={teams}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Users} title={texts.teams.emptyOwn} />
          ) : (
            <ul className="ui-list">
              {items.map(({ team }) => (
                <TeamRow key={team.id} team={team} organizationId={organization.id} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={teams} />
    </>
  )
}

const TeamRow = ({ team, organizationId }: { team: Team; organizationId: string }) => (
  <li>
    <Link className="ui-row" href={paths.team(organizationId, team.id)}>
      <Users size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="title">{team.title}</span>
      {team.spaces > 0 && <span className="meta ui-wide-only">{texts.teams.spaces(team.spaces)}</span>}
      <span className="meta">{texts.teams.members(team.members)}</span>
    </Link>
  </li>
)

interface NewTeamDialogProps extends PartOfOrganization {
  open: boolean
  onClose: () => void
}

function NewTeamDialog({ open, onClose, organization }: NewTeamDialogProps) {
  const [title, setTitle] = useState('')
  const [, navigate] = useLocation()
  const create = useFormAction(
    () => call('createOrganizationTeam', { organizationId: organization.id, body: { title: title.trim() } }),
    {
      refreshes: ['listTeamsInOrganizationById'],
      onDone: ({ id }) => {
        onClose()
        navigate(paths.team(organization.id, id))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.teams.new}
      action={t.common.create}
      busy={create.isPending}
      disabled={title.trim() === ''}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextField
        label={texts.teams.name}
        maxLength={64}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <FormProblem error={create.error} />
    </FormDialog>
  )
}
