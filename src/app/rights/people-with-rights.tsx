/** Who may do what on a space, a collection or a site: given right there, through what is above it, and to everyone else. */
import { UserPlus } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { useAsked } from '../kit/asked.ts'
import { Button } from '../kit/button.tsx'
import { Loaded } from '../kit/empty.tsx'
import { KeptList } from '../kit/lists/kept-list.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { showDone } from '../kit/toast.tsx'
import { refresh, useAction, useCall } from '../session/client.ts'
import { useLongList } from '../session/long-list.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { GrantRow, type Subject } from './grant-row.tsx'
import { inputOf, type Shared, setDefaultLevel, staleGrants, teamLists, userLists } from './grants.ts'
import { InviteLinks } from './invite-links.tsx'
import { choicesAmong, givenRoles, RoleMenu, RolesExplained } from './roles.tsx'
import { ShareDialog } from './share-dialog.tsx'

export function PeopleWithRights({ shared }: { shared: Shared }) {
  const organization = useOrganization()
  const isOwn = organization.id === shared.organizationId
  return (
    <>
      <OwnGrants shared={shared} />
      <EveryoneElse shared={shared} />
      <section aria-labelledby="from-above">
        <header className="ui-heading">
          <h2 id="from-above">{texts.rights.above}</h2>
        </header>
        <p className="ui-quiet">{texts.rights.admins}</p>
        {shared.parent !== undefined && <Inherited collectionId={shared.parent} />}
      </section>
      {isOwn && organization.permissions.admin && shared.kind !== 'site' && (
        <InviteLinks organization={organization} to={{ kind: shared.kind, id: shared.id }} />
      )}
      <RolesExplained />
    </>
  )
}

function OwnGrants({ shared }: { shared: Shared }) {
  const organization = useOrganization()
  const { users, teams, subjects } = useGrants(shared)
  const sharing = useAsked<true>()
  const idsOf = (kind: Subject['kind']): string[] => subjects.filter((one) => one.kind === kind).map(({ id }) => id)
  return (
    <section aria-labelledby="own-grants">
      <header className="ui-heading">
        <h2 id="own-grants">{texts.rights.own[shared.kind]}</h2>
        {/* Guests are told of nobody whom they could choose. */}
        {shared.canAdminister && organization.permissions.listMembers && (
          <Button kind="primary" icon={UserPlus} onClick={() => sharing.ask(true)}>
            {texts.rights.share}
          </Button>
        )}
      </header>
      <Loaded<unknown> query={teams.data ? users : teams} lines={2}>
        {() =>
          subjects.length === 0 ? (
            <p className="ui-quiet">{texts.rights.none}</p>
          ) : (
            <KeptList>
              {subjects.map((subject) => (
                <GrantRow key={subject.id} subject={subject} shared={shared} />
              ))}
            </KeptList>
          )
        }
      </Loaded>
      <MoreButton list={teams} />
      <MoreButton list={users} />
      <ShareDialog
        key={sharing.key}
        open={sharing.open}
        onClose={sharing.close}
        shared={shared}
        there={{ users: idsOf('user'), teams: idsOf('team') }}
      />
    </section>
  )
}

/** Teams first. */
function useGrants(shared: Shared) {
  const teams = useLongList(teamLists[shared.kind], inputOf(shared))
  const users = useLongList(userLists[shared.kind], inputOf(shared))
  const subjects: Subject[] = [
    ...(teams.data?.items ?? []).map(({ permission, team }) => ({
      kind: 'team' as const,
      id: team.id,
      role: permission,
      name: team.title,
      detail: texts.teams.members(team.members),
    })),
    ...(users.data?.items ?? []).map(({ permission, user }) => ({
      kind: 'user' as const,
      id: user.id,
      role: permission,
      name: user.displayName,
      detail: user.email,
      photo: user.photoURL,
    })),
  ]
  return { teams, users, subjects }
}

function EveryoneElse({ shared }: { shared: Shared }) {
  const { parent, defaultLevel, canAdminister } = shared
  const update = useAction((level: string) => setDefaultLevel(shared, levelOf(level)), {
    refreshes: staleGrants,
    onDone: () =>
      showDone(t.common.saved, {
        label: t.common.undo,
        run: () => void setDefaultLevel(shared, defaultLevel).then(() => refresh(...staleGrants)),
      }),
  })
  const inherits =
    shared.kind === 'site' || parent === undefined ? texts.rights.asOrganization : texts.rights.asCollection
  const among = [
    { value: 'inherit', name: inherits.name, meaning: inherits.meaning },
    ...choicesAmong(givenRoles),
    { value: 'nobody', ...texts.rights.nobody },
  ]
  const present = defaultLevel ?? 'nobody'
  const chosen = among.find(({ value }) => value === present)
  return (
    <section aria-labelledby="everyone-else">
      <header className="ui-heading">
        <h2 id="everyone-else">{texts.rights.everyone}</h2>
        {canAdminister && shared.kind !== 'site' ? (
          <RoleMenu
            name={texts.rights.everyone}
            role={present}
            among={among}
            onChoose={(level) => update.mutate(level)}
          />
        ) : (
          <span className="meta">{chosen?.name}</span>
        )}
      </header>
      <p className="ui-quiet">{texts.rights.everyoneText(chosen?.meaning ?? '')}</p>
    </section>
  )
}

const levelOf = (level: string) =>
  level === 'inherit' ? 'inherit' : (givenRoles.find((role) => role === level) ?? null)

/** What a collection gives to all that is in it, and those that it is in. */
function Inherited({ collectionId }: { collectionId: string }) {
  const collection = useCall('getCollectionById', { collectionId })
  if (collection.isError) return <p className="ui-quiet">{texts.rights.unseen}</p>
  if (!collection.data) return null
  const { id, title, organization, parent, defaultLevel } = collection.data
  return (
    <>
      <CollectionGrants
        shared={{
          kind: 'collection',
          id,
          title,
          organizationId: organization,
          parent,
          defaultLevel,
          canAdminister: false,
        }}
        canOpen={collection.data.permissions.admin}
      />
      {parent !== undefined && <Inherited collectionId={parent} />}
    </>
  )
}

function CollectionGrants({ shared, canOpen }: { shared: Shared; canOpen: boolean }) {
  const { users, teams, subjects } = useGrants(shared)
  const title = shared.title || t.common.untitled
  return (
    <div className="ui-inherited">
      <h3>
        {canOpen ? (
          <Link className="ui-link" href={paths.peopleOfCollection(shared.id)}>
            {texts.rights.through(title)}
          </Link>
        ) : (
          texts.rights.through(title)
        )}
      </h3>
      {users.data && teams.data && subjects.length === 0 && <p className="ui-quiet">{texts.rights.noneAbove}</p>}
      <ul className="ui-list">
        {subjects.map((subject) => (
          <GrantRow key={subject.id} subject={subject} shared={shared} />
        ))}
      </ul>
      <MoreButton list={teams} />
      <MoreButton list={users} />
    </div>
  )
}
