/** Links by which people join: the organization, or one space or collection of it as guests. */
import { Link2, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '../../core/permissions.ts'
import { useAsked } from '../kit/asked.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { CopyButton } from '../kit/forms/copy-value.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { KeptList } from '../kit/lists/kept-list.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, type Output, refresh, useAction, useCall } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { useLongList } from '../session/long-list.ts'
import type { Organization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { asRole, choicesAmong, givenRoles, memberRoles, RoleMenu, type RoleOrGuest, RoleSelect } from './roles.tsx'

type Invite = Output<'getOrganizationInviteById'>

interface OfOrganization {
  organization: Organization
}

/** What a link opens, where it is not the whole organization. */
export interface InvitedThing {
  kind: 'space' | 'collection'
  id: string
}

export function InviteLinks({ organization, to }: OfOrganization & { to?: InvitedThing }) {
  const organizationId = organization.id
  // Those of one thing are picked out of all; nobody has a thousand.
  const links = useLongList('listOrganizationInviteLinks', { organizationId, query: { limit: to ? 1000 : 50 } })
  const asking = useAsked<true>()
  const removing = useAsked<Invite>()
  return (
    <section aria-labelledby="invite-links">
      <header className="ui-heading">
        <h2 id="invite-links">{texts.links.title}</h2>
        {organization.inviteLinks && (
          <Button kind="quiet" icon={Plus} onClick={() => asking.ask(true)}>
            {texts.links.new}
          </Button>
        )}
      </header>
      <p className="ui-quiet">{organization.inviteLinks ? texts.links.text : texts.links.off}</p>
      <Loaded query={links} lines={1}>
        {({ items }) => (
          <KeptList>
            {items
              .filter((invite) => !to || invite[to.kind] === to.id)
              .map((invite) => (
                <InviteRow
                  key={invite.id}
                  invite={invite}
                  organizationId={organizationId}
                  onRemove={() => removing.ask(invite)}
                />
              ))}
          </KeptList>
        )}
      </Loaded>
      <MoreButton list={links} />
      <NewLinkDialog
        key={`new ${asking.key}`}
        open={asking.open}
        onClose={asking.close}
        organization={organization}
        to={to}
      />
      <RemoveLinkDialog
        key={`remove ${removing.key}`}
        open={removing.open}
        onClose={removing.close}
        organizationId={organizationId}
        invite={removing.about}
      />
    </section>
  )
}

/** What a link leads to, in words; spaces and collections by their names. */
function useTarget({ space, collection }: Invite): string {
  const shownSpace = useCall('getSpaceById', { spaceId: space ?? '' }, { enabled: space !== undefined })
  const shownCollection = useCall(
    'getCollectionById',
    { collectionId: collection ?? '' },
    { enabled: collection !== undefined },
  )
  const titleOf = ({ data, isError }: { data?: { title: string } | undefined; isError: boolean }): string =>
    isError ? texts.links.unseen : (data?.title ?? '…')
  if (space !== undefined) return texts.links.toSpace(titleOf(shownSpace))
  if (collection !== undefined) return texts.links.toCollection(titleOf(shownCollection))
  return texts.links.toOrganization
}

function InviteRow({
  invite,
  organizationId,
  onRemove,
}: {
  invite: Invite
  organizationId: string
  onRemove: () => void
}) {
  const { id, role, level, redundant, urls } = invite
  const isWhole = level === undefined
  const present: RoleOrGuest = level ?? role ?? 'guest'
  const target = useTarget(invite)
  const label = texts.links.label(target, texts.roleNames[present])
  const change = (to: RoleOrGuest) =>
    call('updateOrganizationInviteById', {
      organizationId,
      inviteId: id,
      body: isWhole ? { role: asRole(to) } : to === 'guest' ? {} : { level: to },
    })
  const update = useAction(change, {
    refreshes: ['listOrganizationInviteLinks'],
    onDone: (_result, to) =>
      showDone(texts.roleChanged(target, texts.roleNames[to]), {
        label: t.common.undo,
        run: () => void change(present).then(() => refresh('listOrganizationInviteLinks')),
      }),
  })
  return (
    <li className="ui-row ui-person">
      <Link2 size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="title">
        {target}
        {redundant && !isWhole && <small>{texts.links.redundant}</small>}
      </span>
      <span className="ui-row-tools">
        <RoleMenu
          name={target}
          role={present}
          among={choicesAmong<RoleOrGuest>(isWhole ? memberRoles : givenRoles)}
          onChoose={(to) => update.mutate(to)}
        />
        <CopyButton label={texts.links.copy(label)} value={urls.join} />
        <IconButton label={texts.links.remove(label)} icon={Trash2} onClick={onRemove} />
      </span>
    </li>
  )
}

interface NewLinkDialogProps extends OfOrganization {
  open: boolean
  onClose: () => void
  to: InvitedThing | undefined
}

function NewLinkDialog({ open, onClose, organization, to }: NewLinkDialogProps) {
  const [role, setRole] = useState<RoleOrGuest>(to ? 'read' : (organization.defaultRole ?? 'guest'))
  const bodyFor = (level: Role) =>
    to?.kind === 'space' ? { level, space: to.id } : { level, collection: to?.id ?? '' }
  const create = useFormAction(
    () =>
      call('createOrganizationInvite', {
        organizationId: organization.id,
        body: to ? bodyFor(asRole(role) ?? 'read') : { role: asRole(role) },
      }),
    {
      refreshes: ['listOrganizationInviteLinks'],
      onDone: () => {
        onClose()
        showDone(texts.links.made)
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.links.new}
      action={t.common.create}
      busy={create.isPending}
      onSubmit={() => create.mutate(undefined)}
    >
      <p className="ui-quiet">{texts.links.text}</p>
      <RoleSelect<RoleOrGuest> value={role} among={to ? givenRoles : memberRoles} onChoose={setRole} />
      <FormProblem error={create.error} />
    </FormDialog>
  )
}

interface RemoveLinkDialogProps {
  open: boolean
  onClose: () => void
  organizationId: string
  invite: Invite | undefined
}

function RemoveLinkDialog({ open, onClose, organizationId, invite }: RemoveLinkDialogProps) {
  const remove = useFormAction(
    () => call('deleteOrganizationInviteById', { organizationId, inviteId: invite?.id ?? '' }),
    {
      refreshes: ['listOrganizationInviteLinks'],
      onDone: () => {
        onClose()
        showDone(texts.links.removed)
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.links.removeTitle}
      action={t.common.delete}
      busy={remove.isPending}
      onSubmit={() => remove.mutate(undefined)}
    >
      <p>{texts.links.removeText}</p>
      <FormProblem error={remove.error} />
    </FormDialog>
  )
}
